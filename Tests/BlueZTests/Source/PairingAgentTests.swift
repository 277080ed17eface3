import BlueZ
import DBus
import FakeBlueZ
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

/// Whom the agent answers: the daemon, about straps that are wanted. A passkey is nobody else's business.
@Suite("Pairing agent", .timeLimit(.minutes(5)))
struct PairingAgentTests {
  private static let passkey: UInt32 = 123_456

  /// A person who confirms one number, and remembers what was shown.
  private final class Person: PairingPromptProtocol {
    let confirmed: UInt32
    let shown = Mutex<[UInt32]>([])

    init(confirms confirmed: UInt32) { self.confirmed = confirmed }

    func passkey(for strap: String) async -> UInt32? { nil }

    func confirms(_ passkey: UInt32, for strap: String) async -> Bool { passkey == confirmed }

    func show(_ passkey: UInt32, for strap: String) async { shown.withLock { $0.append(passkey) } }
  }

  private static func strap(_ number: UInt8, _ pairing: FakeStrap.Pairing) -> FakeStrap {
    var strap = FakeStrap(number: number)
    strap.pairing = pairing
    return strap
  }

  /// A client with an agent that wants the first strap only, and the paths of both.
  private struct Bench {
    let bus: PrivateBus
    let fake: FakeBlueZ
    let client: BlueZClient
    let agent: PairingAgent
    let paths: [String]

    init(
      prompt: any PairingPromptProtocol = FixedPasskeyPrompt(passkey: PairingAgentTests.passkey),
      pairing: FakeStrap.Pairing = .passkeyShownByStrap(PairingAgentTests.passkey),
    ) async throws {
      bus = try await PrivateBus.start()
      fake = try await FakeBlueZ.start(on: .address(bus.address))
      client = try await BlueZClient.open(.address(bus.address))
      let straps = [PairingAgentTests.strap(1, pairing), PairingAgentTests.strap(2, pairing)]
      try await client.call(
        "/org/bluez/hci0", BlueZName.Interface.adapter, BlueZName.Member.startDiscovery, timeout: .seconds(30))
      for strap in straps { await fake.advertise(strap) }
      var paths: [String] = []
      for await _ in client.changes() {
        paths = client.read { tree in
          straps.compactMap { strap in tree.devices().first { $0.address == strap.address }?.path }
        }
        if paths.count == straps.count { break }
      }
      self.paths = paths
      let wanted = straps[0].address.value
      agent = try await PairingAgent.register(on: client, prompt: prompt) { $0.value == wanted }
    }

    func pair(_ index: Int) async throws(DBusError) {
      try await client.call(
        paths[index], BlueZName.Interface.device, BlueZName.Member.pair, timeout: .seconds(30))
    }

    /// Pairs the first strap, which succeeds or fails as it should.
    func expectPairing(succeeds: Bool) async throws {
      if succeeds {
        try await pair(0)
      } else {
        await #expect(throws: DBusError.self) { try await pair(0) }
      }
      #expect(await isBonded(0) == succeeds)
    }

    func isBonded(_ index: Int) async -> Bool {
      await fake.world.devices.values.first { $0.path.text == paths[index] }?.isBonded == true
    }

    func end() async {
      await agent.unregister()
      client.close()
      await fake.stop()
    }
  }

  @Test func testStrapThatIsWanted_GetsItsPasskey() async throws {
    let bench = try await Bench()
    try await bench.pair(0)
    #expect(await bench.isBonded(0))
    await bench.end()
  }

  @Test func testNumberToBeTypedIntoTheStrap_IsShown() async throws {
    let person = Person(confirms: 0)
    let bench = try await Bench(prompt: person, pairing: .passkeyTypedIntoStrap(correctly: true))
    try await bench.pair(0)
    #expect(await bench.isBonded(0))
    #expect(person.shown.withLock { $0 } == [271_828])
    await bench.end()
  }

  @Test(arguments: [(shown: UInt32(314_159), isSame: true), (shown: 314_158, isSame: false)])
  func testNumberOnBothSides_IsConfirmedWhereItIsTheSame(shown: UInt32, isSame: Bool) async throws {
    let bench = try await Bench(prompt: Person(confirms: 314_159), pairing: .confirmation(shown))
    try await bench.expectPairing(succeeds: isSame)
    await bench.end()
  }

  /// A station without a person: a number is the one that it was told, and nothing else is agreed to.
  @Test(arguments: [
    (FakeStrap.Pairing.confirmation(PairingAgentTests.passkey), true), (.confirmation(7), false),
    (.passkeyShownByStrap(7), false), (.refused, false), (.justWorks, true),
  ])
  func testConfiguredPasskey_IsTheOnlyAnswer(pairing: FakeStrap.Pairing, isBonded: Bool) async throws {
    let bench = try await Bench(pairing: pairing)
    try await bench.expectPairing(succeeds: isBonded)
    await bench.end()
  }

  @Test func testStranger_IsRefused() async throws {
    let bench = try await Bench()
    await #expect(throws: DBusError.self) { try await bench.pair(1) }
    #expect(await bench.fake.world.devices.values.allSatisfy { !$0.isBonded })
    await bench.end()
  }

  @Test func testOtherProgramOnTheBus_GetsNoPasskey() async throws {
    let bench = try await Bench()
    let other = try await DBusConnection.open(.address(bench.bus.address))
    let call = DBusMethodCall(
      destination: bench.client.connection.uniqueName, path: try DBusObjectPath(validating: "/net/tachogram/agent"),
      interface: "org.bluez.Agent1", member: "RequestPasskey",
      arguments: [.objectPath(try DBusObjectPath(validating: bench.paths[0]))])
    await #expect(throws: DBusError.remote(name: BlueZName.Error.rejected, message: "refused")) {
      _ = try await other.call(call, timeout: .seconds(30))
    }
    other.close()
    await bench.end()
  }
}

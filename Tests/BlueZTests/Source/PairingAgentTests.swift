import BlueZ
import DBus
import TachogramCore
import TachogramTestKit
import Testing

/// Whom the agent answers: the daemon, about straps that are wanted. A passkey is nobody else's business.
@Suite("Pairing agent", .timeLimit(.minutes(2)))
struct PairingAgentTests {
  private static let passkey: UInt32 = 123_456

  private static func strap(_ number: UInt8) -> FakeStrap {
    var strap = FakeStrap(number: number)
    strap.pairing = .passkeyShownByStrap(passkey)
    return strap
  }

  /// A client with an agent that wants the first strap only, and the paths of both.
  private struct Bench {
    let bus: PrivateBus
    let fake: FakeBlueZ
    let client: BlueZClient
    let agent: PairingAgent
    let paths: [String]

    init() async throws {
      bus = try await PrivateBus.start()
      fake = try await FakeBlueZ.start(on: .address(bus.address))
      client = try await BlueZClient.open(.address(bus.address))
      let straps = [PairingAgentTests.strap(1), PairingAgentTests.strap(2)]
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
      let prompt = FixedPasskeyPrompt(passkey: PairingAgentTests.passkey)
      agent = try await PairingAgent.register(on: client, prompt: prompt) { $0.value == wanted }
    }

    func pair(_ index: Int) async throws(DBusError) {
      try await client.call(
        paths[index], BlueZName.Interface.device, BlueZName.Member.pair, timeout: .seconds(30))
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
    #expect(await bench.fake.world.devices.values.first { $0.path.text == bench.paths[0] }?.isBonded == true)
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

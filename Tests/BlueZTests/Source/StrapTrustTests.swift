import BlueZ
import FakeBlueZ
import TachogramCore
import Testing

/// Which strap is listened to when several could be meant: a name is no proof, a bond is.
@Suite("Strangers and changed addresses", .timeLimit(.minutes(5)))
struct StrapTrustTests {
  private static let own = FakeStrap(number: 1)

  /// Another strap that calls itself the same.
  private static let stranger: FakeStrap = {
    var strap = FakeStrap(number: 2)
    strap.name = own.name
    return strap
  }()

  private static func value(_ number: Int) -> [UInt8] { [0, UInt8(60 + number)] }

  /// The stranger is alone in range after our own strap was heard once; then ours comes back.
  @Test(arguments: [StrapSelector.address(own.address), .name(own.name), .any])
  func testStrangerOfTheSameName_IsNotListenedTo(selector: StrapSelector) async throws {
    let bench = try await SourceBench(isPatient: true, straps: [.init(selector)])
    let fake = bench.fake
    await fake.advertise(Self.own)
    await bench.listen()
    await fake.subscribed(Self.own)
    await fake.play(Self.own, [Self.value(0)])
    await bench.wait(notifications: 1)
    await fake.stopAdvertising(Self.own)
    await fake.dropLink(Self.own)
    _ = await fake.waitUntil { $0.isDiscovering }
    await fake.advertise(Self.stranger)
    _ = await fake.waitUntil { world in world.devices.values.contains { $0.address == Self.stranger.address } }
    await fake.advertise(Self.own)
    await fake.subscribed(Self.own)
    await fake.play(Self.own, [Self.value(1)])
    await bench.wait(notifications: 2)
    let attempts = await fake.world.devices.values.filter { $0.address == Self.stranger.address }.map(\.generation)
    #expect(attempts == [0])
    let events = await bench.stop()
    #expect(events.notifications() == [Self.value(0), Self.value(1)])
    #expect(Set(events.identities().map(\.address)) == [Self.own.address])
  }

  /// The stranger is there first.
  @Test func testStrangerWhoIsThereFirst_IsNotListenedTo() async throws {
    let bench = try await SourceBench(isPatient: true, straps: [.init(.address(Self.own.address))])
    let fake = bench.fake
    await fake.advertise(Self.stranger)
    await bench.listen()
    _ = await fake.waitUntil { world in world.devices.values.contains { $0.address == Self.stranger.address } }
    await fake.advertise(Self.own)
    await fake.subscribed(Self.own)
    let attempts = await fake.world.devices.values.filter { $0.address == Self.stranger.address }.map(\.generation)
    #expect(attempts == [0])
    _ = await bench.stop()
  }

  /// A strap with a resolvable address is bonded; the bond tells who it is, and under that address it comes back.
  @Test func testBondedStrap_ComesBackUnderTheAddressThatTheBondTold() async throws {
    let identity = BluetoothAddress(value: 0x001A_7D11_2233, kind: .public)
    var strap = FakeStrap(address: BluetoothAddress(value: 0x4A5B_0000_0001, kind: .random), name: "HRM")
    strap.requiresBond = true
    let bench = try await SourceBench(isPatient: true, straps: [.init(.address(strap.address), wantsBond: true)])
    await bench.fake.advertise(strap)
    await bench.listen()
    await bench.fake.subscribed(strap)
    await bench.fake.play(strap, [Self.value(0)])
    await bench.wait(notifications: 1)
    let known = await bench.fake.revealIdentity(of: strap, identity)
    await bench.wait { $0.identities().last?.address == identity }
    await bench.fake.play(known, [Self.value(1)])
    await bench.wait(notifications: 2)
    #expect(await bench.source.isBonded(strap: 0))
    await bench.fake.dropLink(known)
    await bench.fake.subscribed(known)
    await bench.fake.play(known, [Self.value(2)])
    await bench.wait(notifications: 3)
    let events = await bench.stop()
    #expect(events.notifications() == (0..<3).map(Self.value))
    #expect(events.links() == (2, 2))
  }

  /// After a restart of the daemon its path is that of the identity; until then, that of the address it was heard under.
  @Test func testKnownStrap_IsFoundUnderThePathOfItsOldAddress() async throws {
    let identity = BluetoothAddress(value: 0x001A_7D11_2233, kind: .public)
    let strap = FakeStrap(address: BluetoothAddress(value: 0x4A5B_0000_0001, kind: .random), name: "HRM")
    let bench = try await SourceBench(isPatient: true, straps: [.init(.address(identity))])
    await bench.fake.advertise(strap)
    await bench.listen()
    _ = await bench.fake.waitUntil { world in world.devices.values.contains { $0.address == strap.address } }
    let known = await bench.fake.revealIdentity(of: strap, identity)
    await bench.fake.subscribed(known)
    await bench.fake.play(known, [Self.value(0)])
    await bench.wait(notifications: 1)
    let events = await bench.stop()
    #expect(events.notifications() == [Self.value(0)])
  }
}

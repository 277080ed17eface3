import DBus
import FakeBlueZ
import TachogramCore
import TachogramTestKit
import Testing

@testable import BlueZ

/// Two adapters that hear the same strap.
@Suite("Two adapters", .timeLimit(.minutes(5)))
struct TwoAdaptersTests {
  private static let second = BluetoothAddress(value: 0x001A_7DDA_7114, kind: .public)

  private let bus: PrivateBus
  private let fake: FakeBlueZ
  private let client: BlueZClient
  private let strap = FakeStrap()

  /// Both adapters search, and have heard the strap.
  init() async throws {
    bus = try await PrivateBus.start()
    fake = try await FakeBlueZ.start(on: .address(bus.address))
    _ = await fake.addAdapter(address: Self.second)
    client = try await BlueZClient.open(.address(bus.address))
    await fake.advertise(strap)
    for adapter in client.read(\.adapters) {
      try await client.call(
        adapter.path, BlueZName.Interface.adapter, BlueZName.Member.startDiscovery, timeout: .seconds(30))
    }
    for await _ in client.changes() where client.read({ $0.devices().count(where: { $0.signal != nil }) }) == 2 {
      break
    }
  }

  private func end() async {
    client.close()
    await fake.stop()
  }

  private func found(avoiding avoided: BluetoothAddress?) -> StrapLookup {
    StrapLookup(.address(strap.address), adapter: nil, client: client, avoided: avoided, isBlocked: nil) { _ in true }
  }

  @Test func testAdapterWithoutAFreeConnection_IsTheLastChoice() async throws {
    #expect(client.read(\.adapters).map(\.address) == [FakeBlueZ.adapterAddress, Self.second])
    #expect(found(avoiding: FakeBlueZ.adapterAddress).adapterAddress == Self.second)
    #expect(found(avoiding: Self.second).adapterAddress == FakeBlueZ.adapterAddress)
    // When it is the only one that is left.
    await fake.removeAdapter(0)
    for await _ in client.changes() where client.read(\.adapters).count == 1 { break }
    #expect(found(avoiding: Self.second).adapterAddress == Self.second)
    await end()
  }

  @Test func testAvoidance_EndsAfterAMinute() async {
    let now = MonotonicTime(microseconds: 5)
    let avoided = AvoidedAdapter(Self.second, at: now)
    #expect(!avoided.isOver(at: now.advanced(byMicroseconds: 59_999_999)))
    #expect(avoided.isOver(at: now.advanced(byMicroseconds: 60_000_000)))
    await end()
  }

  @Test(arguments: [nil, FakeBlueZ.adapterAddress, TwoAdaptersTests.second])
  func testScan_KeepsToTheAdapterThatWasNamed(adapter: BluetoothAddress?) async throws {
    var paths: Set<String> = []
    let wanted = adapter == nil ? 2 : 1
    try await BlueZScan(bus: .address(bus.address), adapter: adapter, time: ScaledTimeSource(factor: 1))
      .run(duration: .seconds(60)) { devices in
        paths.formUnion(devices.compactMap { BlueZPath($0.path)?.adapter })
        return paths.count >= wanted
      }
    let expected: Set<String> = adapter == nil ? ["hci0", "hci1"] : [adapter == Self.second ? "hci1" : "hci0"]
    #expect(paths == expected)
    await end()
  }

  /// The first adapter hears all of them at once, before the second listens.
  @Test(arguments: [ScanMode.active, .passive])
  func testStrapsHeardAtOnce_ShareTheAdapters(search: ScanMode) async throws {
    let straps = (1...4).map { FakeStrap(number: UInt8($0)) }
    var configuration = FakeBlueZConfiguration()
    configuration.connectDelay = .milliseconds(20)
    if search == .passive { configuration.monitorTypes = ["or_patterns"] }
    let bench = try await SourceBench(
      speed: 1, isPatient: true, straps: straps.map { .init(.address($0.address)) }, configuration: configuration,
      adapters: [FakeBlueZ.adapterAddress, Self.second])
    for strap in straps { await bench.fake.advertise(strap) }
    await bench.listen()
    for strap in straps { await bench.fake.subscribed(strap) }
    let links = await bench.fake.world.devices.values.filter(\.isConnected).map(\.adapter).sorted()
    #expect(Set(links) == [0, 1])
    #expect(links.count == 4)
    _ = await bench.stop()
    await end()
  }
}

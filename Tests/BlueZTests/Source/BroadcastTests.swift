import BlueZ
import DBus
import FakeBlueZ
import GATT
import TachogramCore
import Testing

@Suite("Broadcasts on a fake daemon", .serialized, .timeLimit(.minutes(5)))
struct BroadcastTests {
  private static let strap = FakeStrap()

  /// A room full of straps, with a daemon that monitors and one that does not: every rate of each comes through.
  @Test(arguments: [true, false])
  func testThirtyStraps_AreAllHeard(monitors: Bool) async throws {
    let bench = try await BroadcastBench(monitors: monitors)
    let straps = (1...30).map { FakeStrap(number: UInt8($0)) }
    for strap in straps { await bench.fake.advertise(strap) }
    await bench.listen()
    let rates: [UInt8] = (0..<20).map { 60 + $0 }
    for rate in rates {
      for (index, strap) in straps.enumerated() {
        await bench.fake.broadcast(strap, heartRate: rate + UInt8(index), hasContact: index.isMultiple(of: 2))
      }
    }
    await bench.wait { bench in straps.allSatisfy { bench.rates(of: $0).count == rates.count } }
    for (index, strap) in straps.enumerated() {
      #expect(await bench.rates(of: strap) == rates.map { $0 + UInt8(index) })
      let last = await bench.heard.last { $0.address == strap.address }
      #expect(last?.name == strap.name && last?.signal == strap.signal)
      #expect(last?.content.contact == (index.isMultiple(of: 2) ? .detected : .notDetected))
    }
    await bench.stop()
    #expect(await bench.fake.calls(of: "Connect") == 0)
    let obstacles = await bench.obstacles
    #expect(obstacles == [nil])
  }

  /// Watches and bands of another maker, whose data have a form of their own.
  @Test(arguments: [true, false])
  func testBand_IsHeard(monitors: Bool) async throws {
    let bench = try await BroadcastBench(monitors: monitors)
    await bench.listen()
    await bench.fake.advertise(Self.strap)
    for rate in [71, 0xFF, 72] as [UInt8] {
      let data = [0x02, 0xFF, 0xFF, rate] + [UInt8](repeating: 0xFF, count: 13) + [0x03, 1, 2, 3, 4, 5, 6]
      await bench.fake.advertiseManufacturerData(Self.strap, company: HuamiBroadcast.company, data)
    }
    await bench.wait { $0.rates(of: Self.strap).last == 72 }
    #expect(await bench.rates(of: Self.strap) == [71, 72])
    #expect(await bench.heard.last?.content.contact == .notSupported)
    await bench.stop()
  }

  /// A heart that beats evenly: the same value again is news, since it says that the strap is still there.
  @Test(arguments: [true, false])
  func testEqualRates_AreEachHeard(monitors: Bool) async throws {
    let bench = try await BroadcastBench(monitors: monitors)
    await bench.listen()
    await bench.fake.advertise(Self.strap)
    for _ in 0..<9 { await bench.fake.broadcast(Self.strap, heartRate: 60) }
    await bench.wait { $0.heard.count >= 9 }
    // The advertisement itself repeated, its counter too.
    let count = await bench.heard.count
    if let strap = await bench.fake.world.air[Self.strap.address]?.strap { await bench.fake.advertise(strap) }
    await bench.wait { $0.heard.count > count }
    await bench.stop()
  }

  @Test func testStrapThatBroadcastsNoMore_IsNotKeptFresh() async throws {
    let bench = try await BroadcastBench(monitors: true)
    await bench.listen()
    await bench.fake.advertise(Self.strap)
    await bench.fake.broadcast(Self.strap, heartRate: 61)
    await bench.wait { !$0.heard.isEmpty }
    // It advertises on without its heart rate, and another strap shows that all of that has come through.
    await bench.fake.advertise(Self.strap)
    let other = FakeStrap(number: 2)
    await bench.fake.advertise(other)
    await bench.fake.broadcast(other, heartRate: 99)
    await bench.wait { !$0.rates(of: other).isEmpty }
    let count = await bench.heard.count { $0.address == Self.strap.address }
    for signal in [-61, -62, -63] as [Int16] {
      var quiet = Self.strap
      quiet.signal = signal
      await bench.fake.advertise(quiet)
    }
    await bench.fake.broadcast(other, heartRate: 100)
    await bench.wait { $0.rates(of: other).count == 2 }
    #expect(await bench.heard.count { $0.address == Self.strap.address } == count)
    await bench.stop()
  }

  @Test(arguments: [true, false])
  func testDaemonThatRestarts_IsListenedToAgain(monitors: Bool) async throws {
    let bench = try await BroadcastBench(monitors: monitors)
    await bench.listen()
    await bench.fake.advertise(Self.strap)
    await bench.fake.broadcast(Self.strap, heartRate: 61)
    await bench.wait { !$0.heard.isEmpty }
    await bench.fake.killDaemon()
    // One that is back sooner than anybody looks is no obstacle.
    await bench.wait { $0.obstacles.last == .some(.noDaemon) }
    try await bench.fake.startDaemon()
    await bench.search()
    await bench.fake.broadcast(Self.strap, heartRate: 62)
    await bench.wait { $0.rates(of: Self.strap) == [61, 62] }
    try await bench.fake.setPowered(false)
    await bench.wait { $0.obstacles.last == .some(.adapterOff) }
    try await bench.fake.setPowered(true)
    await bench.search()
    await bench.fake.broadcast(Self.strap, heartRate: 63)
    await bench.wait { $0.rates(of: Self.strap) == [61, 62, 63] }
    await bench.stop()
  }

  @Test func testRefusedMonitor_LeavesDiscovery() async throws {
    let bench = try await BroadcastBench(monitors: true) { $0.acceptsMonitors = false }
    await bench.fake.advertise(Self.strap)
    let listening = Task { await bench.listen() }
    #expect(await bench.fake.waitUntil(\.isDiscovering))
    for rate in 60...64 as ClosedRange<UInt8> { await bench.fake.broadcast(Self.strap, heartRate: rate) }
    await bench.wait { $0.rates(of: Self.strap).last == 64 }
    listening.cancel()
    await listening.value
    await bench.stop()
  }

  @Test func testStop_EndsTheSearch() async throws {
    let bench = try await BroadcastBench(monitors: true)
    await bench.listen()
    await bench.source.stop()
    #expect(await bench.fake.waitUntil { !$0.isDiscovering && !$0.isMonitored })
    await bench.stop()
  }
}

import BlueZ
import DBus
import FakeBlueZ
import GATT
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Measurement streams", .timeLimit(.minutes(5)))
struct SensorStreamTests {
  // MARK: - Streams that run

  @Test(arguments: NotificationTransport.allCases)
  func testFrames_ArriveInOrderBesideTheHeartRate(way: NotificationTransport) async throws {
    // Given
    let bench = try await SensorBench(speed: 20, way: way)
    if way == .signals { await bench.fake.refuse("AcquireNotify", .notPermitted("Notify acquired"), times: 11) }
    await bench.start()
    // When
    let frames = (0..<200).map { [2, UInt8($0), 0, 1] }
    for (number, frame) in frames.enumerated() {
      await bench.measurements.notify(frame)
      if number % 4 == 0 { await bench.fake.notify(bench.strap, [0, UInt8(60 + number / 4)]) }
    }
    await bench.source.wait { $0.frames().count == frames.count }
    await bench.source.wait(notifications: 51)
    // Then
    let writes = await bench.writes
    let events = await bench.source.stop()
    #expect(writes == [[3, 2], [1, 2], SensorBench.start])
    #expect(events.sensors() == [SensorBench.started] + frames.map { .frame($0) })
    let rates: [[UInt8]] = (0..<50).map { [0, UInt8(60 + $0)] }
    #expect(events.notifications() == [[0, 60]] + rates)
    #expect(events.links() == (1, 1))
  }

  @Test func testTwoStreams_RunAtOnce() async throws {
    let bench = try await SensorBench([SensorBench.acceleration, SensorBench.ecg, SensorBench.acceleration])
    await bench.start(2)
    let frames: [[UInt8]] = (0..<40).map { [$0 % 2 == 0 ? 2 : 0, $0] }
    for frame in frames { #expect(await bench.measurements.notify(frame)) }
    await bench.source.wait { $0.frames().count == frames.count }
    #expect(await bench.writes.prefix(2) == [[3, 2], [3, 0]])
    #expect(await bench.fake.world.runningMeasurements(of: bench.strap) == [.acceleration, .ecg])
    let events = await bench.source.stop()
    #expect(events.frames() == frames)
    #expect(events.starts() == 2)
  }

  /// A Verity Sense offers 52 Hz and 8 g only, and PPI without settings.
  @Test func testStreams_HaveTheNearestSettingsOffered() async throws {
    let bench = try await SensorBench([SensorBench.acceleration, .init(.ppi)], service: .armBand)
    await bench.start(2)
    #expect(
      await bench.writes == [
        [3, 2], [3, 3], [1, 2], [2, 2, 0, 1, 52, 0, 1, 1, 16, 0, 2, 1, 8, 0, 4, 1, 3], [2, 3],
      ])
    _ = await bench.source.stop()
  }

  @Test func testNoStreamWanted_WritesNothing() async throws {
    let bench = try await SensorBench([])
    await bench.listen()
    #expect(await bench.receivesHeartRates())
    #expect(await bench.writes.isEmpty)
    #expect(await bench.source.stop().sensors().isEmpty)
  }

  // MARK: - Streams that end

  @Test func testLinkLoss_StartsTheStreamOnTheNextLink() async throws {
    // Given
    let bench = try await SensorBench(speed: 20)
    await bench.start()
    await bench.measurements.notify([2, 1])
    await bench.source.wait { $0.frames().count == 1 }
    // When
    await bench.fake.dropLink(bench.strap)
    #expect(await bench.fake.world.runningMeasurements(of: bench.strap).isEmpty)
    await bench.becomeLive()
    await bench.source.wait { $0.starts() == 2 }
    await bench.measurements.notify([2, 2])
    await bench.source.wait { $0.frames().count == 2 }
    // Then
    let events = await bench.source.stop()
    #expect(events.sensors() == [SensorBench.started, .frame([2, 1]), SensorBench.started, .frame([2, 2])])
    #expect(events.links() == (2, 2))
    var isUp = false
    for event in events {
      switch event.content {
      case .linkUp: isUp = true
      case .linkDown: isUp = false
      case .sensor: #expect(isUp)
      default: break
      }
    }
  }

  @Test func testStreamThatTheStrapEnds_IsStartedAgain() async throws {
    let bench = try await SensorBench(speed: 20)
    await bench.start()
    await bench.measurements.end(.acceleration)
    #expect(await bench.report() == SensorBench.report(.ended, retry: .seconds(1)))
    await bench.source.wait { $0.starts() == 2 }
    await bench.measurements.notify([2, 1])
    await bench.source.wait { !$0.frames().isEmpty }
    #expect(await bench.receivesHeartRates())
    let events = await bench.source.stop()
    #expect(events.sensors() == [SensorBench.started, .stopped([1, 2]), SensorBench.started, .frame([2, 1])])
  }

  /// As when another program calls `StopNotify`, which releases the socket whoever owns it.
  @Test func testSubscriptionThatEnds_IsMadeAgain() async throws {
    let bench = try await SensorBench(speed: 20)
    await bench.start()
    let other = try await BlueZClient.open(.address(bench.source.bus.address))
    let data = try #require(await Self.characteristic(PolarMeasurementUUID.data, in: other))
    try await other.call(data, BlueZName.Interface.characteristic, BlueZName.Member.stopNotify, timeout: .seconds(30))
    other.close()
    await bench.source.wait { $0.starts() == 2 }
    await bench.measurements.notify([2, 1])
    await bench.source.wait { !$0.frames().isEmpty }
    #expect(await bench.receivesHeartRates())
    _ = await bench.source.stop()
  }

  // MARK: - Streams that are stopped

  @Test func testStop_StopsTheStreamsFirst() async throws {
    let bench = try await SensorBench([SensorBench.acceleration, SensorBench.ecg])
    await bench.start(2)
    await bench.source.source.stop()
    #expect(await Set(bench.writes.suffix(2)) == [[3, 2], [3, 0]])
    #expect(await bench.fake.calls(of: "StopNotify") == 1)
    #expect(await !bench.fake.world.isConnected(bench.strap))
    _ = await bench.source.stop()
  }

  @Test func testStrapThatIsWantedNoLonger_IsStopped() async throws {
    let bench = try await SensorBench()
    await bench.start()
    bench.source.source.follow([])
    await bench.source.wait { $0.contains { $0.content == .dismissed } }
    #expect(await bench.writes.last == [3, 2])
    #expect(await !bench.fake.world.isConnected(bench.strap))
    _ = await bench.source.stop()
  }

  @Test func testStopThatIsNeverAnswered_DelaysTheEndForALimitedTime() async throws {
    var timing = SensorStreamTiming.patient
    timing.stop = .seconds(1)
    let bench = try await SensorBench(timing: timing)
    await bench.start()
    await bench.fake.stall("WriteValue", times: .max)
    await bench.source.source.stop()
    #expect(await bench.fake.calls(of: "WriteValue") == 4)
    #expect(await !bench.fake.world.isConnected(bench.strap))
    #expect(await bench.source.stop().links() == (1, 1))
  }

  /// The other client leaves the bus without stopping its stream, as a program that is killed. The link continues.
  @Test func testStreamLeftRunning_IsStoppedFirst() async throws {
    // Given
    let bench = try await SensorBench()
    await bench.fake.advertise(bench.strap)
    let other = try await BlueZClient.open(.address(bench.source.bus.address))
    try await Self.startAcceleration(other, bench)
    other.close()
    _ = await bench.fake.waitUntil { !$0.isSubscribed(bench.strap, to: .measurementControlPoint) }
    #expect(await bench.fake.world.runningMeasurements(of: bench.strap) == [.acceleration])
    // When
    await bench.start()
    // Then
    #expect(await bench.writes == [SensorBench.start, [3, 2], [1, 2], SensorBench.start])
    await bench.measurements.notify([2, 1])
    await bench.source.wait { !$0.frames().isEmpty }
    #expect(await bench.source.stop().sensors() == [SensorBench.started, .frame([2, 1])])
  }

  private static func startAcceleration(_ client: BlueZClient, _ bench: SensorBench) async throws {
    let time: Duration = .seconds(60)
    try await client.call(
      "/org/bluez/hci0", BlueZName.Interface.adapter, BlueZName.Member.startDiscovery, timeout: time)
    let device = try #require(
      await find(in: client) { $0.devices().first { $0.address == bench.strap.address }?.path })
    try await client.call(device, BlueZName.Interface.device, BlueZName.Member.connect, timeout: time)
    let path = try #require(await characteristic(PolarMeasurementUUID.controlPoint, in: client))
    try await client.call(path, BlueZName.Interface.characteristic, BlueZName.Member.startNotify, timeout: time)
    try await client.call(
      path, BlueZName.Interface.characteristic, BlueZName.Member.writeValue,
      [.bytes(SensorBench.start), .dictionary(key: .string, value: .variant, [:])], timeout: time)
  }

  private static func characteristic(_ uuid: String, in client: BlueZClient) async -> String? {
    await find(in: client) { tree in
      tree.devices().lazy.compactMap { tree.characteristic(uuid, of: $0.path)?.path }.first
    }
  }

  private static func find(
    in client: BlueZClient, _ body: @Sendable (BlueZObjectTree) -> String?
  ) async -> String? {
    for await _ in client.changes() {
      if let found = client.read(body) { return found }
    }
    return nil
  }
}

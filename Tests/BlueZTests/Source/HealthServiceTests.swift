import DBus
import FakeBlueZ
import FoundationEssentials
import StressKit
import TachogramContracts
import TachogramCore
import TachogramTestKit
import Testing

@testable import BlueZ

@Suite("Health service on a fake daemon", .timeLimit(.minutes(5)))
struct HealthServiceTests {
  private static let strap = FakeStrap()

  private static func subject() async throws -> HealthServiceSubject {
    let bus = try await PrivateBus.start()
    let fake = try await FakeBlueZ.start(on: .address(bus.address))
    var options = BlueZSourceOptions(straps: [.init(.any)])
    options.bus = .address(bus.address)
    options.timing = .patient
    let time = ScaledTimeSource(factor: 20)
    let source = BlueZRadioSource(options, time: time)
    let service = BlueZHealthService(source: source, time: time) { [address = bus.address] in
      await BluetoothAvailability.check(.address(address)).availability
    }
    let updates = service.observeHeartRateUpdates()
    let running = Task { await service.run() }
    await fake.advertise(strap)
    return HealthServiceSubject(service: service) { rate in
      await fake.subscribed(strap)
      await fake.notify(strap, [1, UInt8(truncatingIfNeeded: rate), UInt8(truncatingIfNeeded: rate >> 8)])
      _ = await updates.first { $0?.value == Double(rate) }
    } read: { reading in
      service.record(reading)
    } fallSilent: {
      _ = await updates.first { $0 == nil }
    } end: {
      await source.stop()
      await running.value
      await fake.stop()
      bus.close()
    }
  }

  @Test func testService_KeepsTheContract() async throws {
    try await HealthServiceContract { try await Self.subject() }.check()
  }

  // MARK: - Authorization

  @Test func testAuthorization_TellsWhatStandsInTheWay() async throws {
    let service = BlueZHealthService(source: ScriptedSource([]), time: ScaledTimeSource(factor: 1)) { .adapterBlocked }
    await #expect(throws: BluetoothUnavailableError(availability: .adapterBlocked)) {
      try await service.requestAuthorization()
    }
  }

  // MARK: - What counts as a reading

  @Test func testNotificationsWithoutHeartRate_AreNoReadings() async throws {
    // Given: no heart felt, cut off, odd, empty; then one of 60 bpm
    let service = Self.service([[0, 0], [1, 60], [0x10, 60, 1], [], [0, 60]])
    let updates = service.observeHeartRateUpdates()
    // When
    await service.run()
    // Then
    var heard: [HeartRateSample?] = []
    for await update in updates { heard.append(update) }
    #expect(heard == [HeartRateSample(value: 60, timestamp: Date(timeIntervalSince1970: 4))])
    #expect(try await service.fetchHeartRate(samples: .max) == heard.compactMap(\.self))
  }

  @Test func testReadings_AreKeptUpToTheLimit() async throws {
    let service = Self.service((1...10).map { [0, $0] }, kept: 4)
    await service.run()
    for value in 1...10 { service.record(HRVMeasurement(value: Double(value), timestamp: .distantPast)) }
    #expect(try await service.fetchHeartRate(samples: 10).map(\.value) == [10, 9, 8, 7])
    #expect(try await service.fetchHRVHistory(since: .distantPast).map(\.value) == [10, 9, 8, 7])
    #expect(try await service.fetchLatestHRV()?.value == 10)
  }

  /// Every size of the ring, every number of readings, every number asked for.
  @Test func testRing_GivesTheNewestFirst() {
    for limit in 1...5 {
      for total in 0...12 {
        var ring = RecentReadings<Int>(limit: limit)
        for reading in 0..<total { ring.append(reading) }
        for count in -1...6 {
          let expected = (0..<total).reversed().prefix(limit).prefix(max(0, count))
          #expect(ring.newest(count) == Array(expected), "limit \(limit), \(total) readings, \(count) asked for")
        }
      }
    }
  }

  private static func service(_ values: [[UInt8]], kept: Int = 100) -> BlueZHealthService {
    BlueZHealthService(source: ScriptedSource(values), time: ScaledTimeSource(factor: 1), kept: kept) { .ready }
  }
}

/// Notifies values, one a second from 1970 on, and ends.
private struct ScriptedSource: RadioSourceProtocol {
  private let values: [[UInt8]]

  init(_ values: [[UInt8]]) {
    self.values = values
  }

  func events() -> AsyncStream<StrapEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: StrapEvent.self)
    for (second, value) in values.enumerated() {
      let time = Int64(second) * 1_000_000
      continuation.yield(
        StrapEvent(
          strap: 0, monotonic: MonotonicTime(microseconds: time), wall: WallTime(microseconds: time),
          content: .notification(value)))
    }
    continuation.finish()
    return stream
  }

  func stop() async {}
}

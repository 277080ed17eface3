import FoundationEssentials
import StressKit
import TachogramCore
import Testing

/// The behaviour of every `HealthKitServiceProtocol` while readings are available. Run `check()` against each implementation,
/// including the fakes.
///
/// Each check uses a new service without readings. If a stream does not end, its check does not return: run it with a time
/// limit.
package struct HealthServiceContract: Sendable {
  /// 2026-01-01T00:00:00Z.
  private static let origin = Date(timeIntervalSince1970: 1_767_225_600)

  private let makeSubject: @Sendable () async throws -> HealthServiceSubject

  /// Creates a contract. `makeSubject` creates a service with a sensor that is present but silent.
  package init(makeSubject: @escaping @Sendable () async throws -> HealthServiceSubject) {
    self.makeSubject = makeSubject
  }

  /// Checks the whole contract.
  package func check() async throws {
    try await checkServiceWithoutReadingsFetchesNothing()
    try await checkHeartRatesAreNewestFirst()
    try await checkVariabilitiesAreNewestFirst()
    try await checkHistoryBeginsAtTheDate()
    try await checkEveryObserverHearsEveryReading()
    try await checkObserverHearsThatAReadingIsStale()
    try await checkUpdatesEndWithTheSource()
    try await checkObserverMayGoAway()
  }

  // MARK: - Fetching

  package func checkServiceWithoutReadingsFetchesNothing() async throws {
    let subject = try await makeSubject()
    let service = subject.service
    try await service.requestAuthorization()
    #expect(try await service.fetchLatestHRV() == nil)
    #expect(try await service.fetchHeartRate(samples: 10).isEmpty)
    #expect(try await service.fetchHRVHistory(since: .distantPast).isEmpty)
    try await subject.end()
  }

  package func checkHeartRatesAreNewestFirst() async throws {
    let subject = try await makeSubject()
    let service = subject.service
    // Including equal ones.
    for rate: UInt16 in [61, 62, 62, 300] { try await subject.beat(rate) }
    let samples = try await service.fetchHeartRate(samples: 10)
    #expect(samples.map(\.value) == [300, 62, 62, 61])
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.timestamp >= $1.timestamp })
    #expect(try await service.fetchHeartRate(samples: 2) == Array(samples.prefix(2)))
    #expect(try await service.fetchHeartRate(samples: 0).isEmpty)
    #expect(try await service.fetchHeartRate(samples: -1).isEmpty)
    try await subject.end()
  }

  package func checkVariabilitiesAreNewestFirst() async throws {
    let subject = try await makeSubject()
    let service = subject.service
    let readings = (0..<3).map { Self.reading(second: $0, value: 50 + Double($0) / 3) }
    for reading in readings {
      try await subject.read(reading)
      #expect(try await service.fetchLatestHRV() == reading)
    }
    #expect(try await service.fetchHRVHistory(since: .distantPast) == readings.reversed())
    try await subject.end()
  }

  package func checkHistoryBeginsAtTheDate() async throws {
    let subject = try await makeSubject()
    let service = subject.service
    let readings = (0..<4).map { Self.reading(second: $0, value: 40) }
    for reading in readings { try await subject.read(reading) }
    #expect(try await service.fetchHRVHistory(since: Self.origin + 2) == [readings[3], readings[2]])
    #expect(try await service.fetchHRVHistory(since: .distantFuture).isEmpty)
    try await subject.end()
  }

  // MARK: - Observing

  package func checkEveryObserverHearsEveryReading() async throws {
    let subject = try await makeSubject()
    let first = subject.service.observeHeartRateUpdates()
    let second = subject.service.observeHeartRateUpdates()
    for rate: UInt16 in [70, 71, 71] { try await subject.beat(rate) }
    try await subject.end()
    for stream in [first, second] {
      let heard = await Self.values(stream)
      #expect(heard.compactMap(\.self) == [70, 71, 71])
    }
  }

  package func checkObserverHearsThatAReadingIsStale() async throws {
    let subject = try await makeSubject()
    let updates = subject.service.observeHeartRateUpdates()
    try await subject.beat(70)
    try await subject.fallSilent()
    try await subject.beat(71)
    try await subject.end()
    let heard = await Self.values(updates)
    #expect(heard.prefix(3) == [70, nil, 71])
    // A reading becomes stale once.
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 != nil || $1 != nil })
  }

  package func checkUpdatesEndWithTheSource() async throws {
    let subject = try await makeSubject()
    let before = subject.service.observeHeartRateUpdates()
    try await subject.beat(70)
    try await subject.end()
    #expect(await Self.values(before).first == 70)
    // A later observer receives an empty stream that ends.
    #expect(await Self.values(subject.service.observeHeartRateUpdates()).isEmpty)
    #expect(try await subject.service.fetchHeartRate(samples: 1).map(\.value) == [70])
  }

  package func checkObserverMayGoAway() async throws {
    let subject = try await makeSubject()
    let leaving = Task { [updates = subject.service.observeHeartRateUpdates()] in await Self.values(updates) }
    let staying = subject.service.observeHeartRateUpdates()
    try await subject.beat(70)
    leaving.cancel()
    _ = await leaving.value
    try await subject.beat(71)
    try await subject.end()
    #expect(await Self.values(staying).compactMap(\.self) == [70, 71])
  }

  // MARK: - Values

  private static func values(_ updates: AsyncStream<HeartRateSample?>) async -> [Double?] {
    var values: [Double?] = []
    for await update in updates { values.append(update?.value) }
    return values
  }

  private static func reading(second: Int, value: Double) -> HRVMeasurement {
    HRVMeasurement(value: value, timestamp: origin + Double(second))
  }
}

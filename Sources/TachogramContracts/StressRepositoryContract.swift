import FoundationEssentials
import StressKit
import TachogramCore
import Testing

/// The behaviour of every `StressRepositoryProtocol`. Run `check()` against each implementation, including the fakes.
///
/// Each check uses a new repository, which must be empty.
package struct StressRepositoryContract: Sendable {
  /// 2026-01-01T00:00:00Z; whole seconds, so that every implementation stores it exactly.
  private static let origin = Date(timeIntervalSince1970: 1_767_225_600)

  private let person: String?
  private let kind: HRVKind
  private let makeRepository: @Sendable () async throws -> any StressRepositoryProtocol

  /// - Parameters:
  ///   - person: The person whose measurements the repositories store.
  ///   - kind: The metric that the repositories store.
  ///   - makeRepository: Creates an empty repository.
  package init(
    person: String? = nil, kind: HRVKind = .sdnn,
    makeRepository: @escaping @Sendable () async throws -> any StressRepositoryProtocol,
  ) {
    self.person = person
    self.kind = kind
    self.makeRepository = makeRepository
  }

  /// Checks the whole contract.
  package func check() async throws {
    try await checkEmptyRepositoryFetchesNothing()
    try await checkSavedMeasurementComesBackWhole()
    try await checkSaveReplacesByIdentifier()
    try await checkEqualReadingsAreKept()
    try await checkFetchesAreNewestFirst()
    try await checkRecentIsLimited()
    try await checkRangeIncludesItsEnds()
    try await checkDatesComeBackWithinOneMicrosecond()
    try await checkDeletedMeasurementIsNotFetched()
    try await checkDeletionIsRepeatable()
    try await checkDeletedMeasurementCanBeSavedAgain()
    try await checkSavedTombstoneIsNotFetched()
    try await checkDeleteAllKeepsTheBaseline()
    try await checkMissingBaselineIsTheStandard()
    try await checkBaselineComesBackWhole()
    try await checkBaselineIsReplaced()
  }

  // MARK: - Saving and fetching

  package func checkEmptyRepositoryFetchesNothing() async throws {
    let repository = try await makeRepository()
    #expect(try await repository.fetchAll().isEmpty)
    #expect(try await repository.fetchRecent(limit: 10).isEmpty)
    #expect(try await repository.fetchByDateRange(.distantPast, .distantFuture).isEmpty)
  }

  package func checkSavedMeasurementComesBackWhole() async throws {
    let repository = try await makeRepository()
    var measurement = measurement(second: 0)
    measurement.stressLevel = 61.517_789_123_456_78
    measurement.hrv = 1.0 / 3
    measurement.isSynced = true
    try await repository.save(measurement)
    #expect(try await repository.fetchAll() == [measurement])
  }

  package func checkSaveReplacesByIdentifier() async throws {
    let repository = try await makeRepository()
    var measurement = measurement(second: 0)
    try await repository.save(measurement)
    measurement.stressLevel = 80
    measurement.category = .high
    measurement.timestamp += 60
    try await repository.save(measurement)
    #expect(try await repository.fetchAll() == [measurement])
  }

  package func checkEqualReadingsAreKept() async throws {
    let repository = try await makeRepository()
    let first = measurement(second: 0)
    var second = first
    second.id = UUID()
    try await repository.save(first)
    try await repository.save(second)
    #expect(try await Set(repository.fetchAll()) == [first, second])
  }

  package func checkFetchesAreNewestFirst() async throws {
    let repository = try await makeRepository()
    let measurements = [2, 0, 3, 1].map { measurement(second: $0) }
    for measurement in measurements { try await repository.save(measurement) }
    let newestFirst = measurements.sorted { $0.timestamp > $1.timestamp }
    #expect(try await repository.fetchAll() == newestFirst)
    #expect(try await repository.fetchByDateRange(.distantPast, .distantFuture) == newestFirst)
    #expect(try await repository.fetchRecent(limit: 4) == newestFirst)
  }

  package func checkRecentIsLimited() async throws {
    let repository = try await makeRepository()
    for second in 0..<3 { try await repository.save(measurement(second: second)) }
    #expect(try await repository.fetchRecent(limit: 2).map(\.timestamp) == [Self.origin + 2, Self.origin + 1])
    #expect(try await repository.fetchRecent(limit: 4).count == 3)
    #expect(try await repository.fetchRecent(limit: 0).isEmpty)
    #expect(try await repository.fetchRecent(limit: -1).isEmpty)
  }

  package func checkRangeIncludesItsEnds() async throws {
    let repository = try await makeRepository()
    for second in 0..<5 { try await repository.save(measurement(second: second)) }
    let fetched = try await repository.fetchByDateRange(Self.origin + 1, Self.origin + 3)
    #expect(fetched.map(\.timestamp) == [Self.origin + 3, Self.origin + 2, Self.origin + 1])
    #expect(try await repository.fetchByDateRange(Self.origin + 3, Self.origin + 1).isEmpty)
  }

  package func checkDatesComeBackWithinOneMicrosecond() async throws {
    let repository = try await makeRepository()
    var measurement = measurement(second: 0)
    measurement.timestamp += 0.123_456_789
    measurement.modified += 0.987_654_321
    try await repository.save(measurement)
    let fetched = try #require(try await repository.fetchAll().first)
    #expect(abs(fetched.timestamp.timeIntervalSince(measurement.timestamp)) <= 1e-6)
    #expect(abs(fetched.modified.timeIntervalSince(measurement.modified)) <= 1e-6)
    // The fetched date finds the measurement again.
    #expect(try await repository.fetchByDateRange(fetched.timestamp, fetched.timestamp) == [fetched])
  }

  // MARK: - Deleting

  package func checkDeletedMeasurementIsNotFetched() async throws {
    let repository = try await makeRepository()
    let measurements = (0..<3).map { measurement(second: $0) }
    for measurement in measurements { try await repository.save(measurement) }
    try await repository.delete(measurements[1])
    let left = [measurements[2], measurements[0]]
    #expect(try await repository.fetchAll() == left)
    #expect(try await repository.fetchRecent(limit: 3) == left)
    #expect(try await repository.fetchByDateRange(.distantPast, .distantFuture) == left)
  }

  package func checkDeletionIsRepeatable() async throws {
    let repository = try await makeRepository()
    let measurement = measurement(second: 0)
    try await repository.delete(measurement)
    try await repository.save(measurement)
    try await repository.delete(measurement)
    try await repository.delete(measurement)
    #expect(try await repository.fetchAll().isEmpty)
  }

  package func checkDeletedMeasurementCanBeSavedAgain() async throws {
    let repository = try await makeRepository()
    let measurement = measurement(second: 0)
    try await repository.save(measurement)
    try await repository.delete(measurement)
    try await repository.save(measurement)
    #expect(try await repository.fetchAll() == [measurement])
  }

  package func checkSavedTombstoneIsNotFetched() async throws {
    let repository = try await makeRepository()
    var measurement = measurement(second: 0)
    measurement.isDeleted = true
    try await repository.save(measurement)
    #expect(try await repository.fetchAll().isEmpty)
  }

  package func checkDeleteAllKeepsTheBaseline() async throws {
    let repository = try await makeRepository()
    let baseline = baseline(hrv: 42)
    try await repository.updateBaseline(baseline)
    for second in 0..<3 { try await repository.save(measurement(second: second)) }
    try await repository.deleteAll()
    try await repository.deleteAll()
    #expect(try await repository.fetchAll().isEmpty)
    #expect(try await repository.getBaseline() == baseline)
  }

  // MARK: - Baseline

  package func checkMissingBaselineIsTheStandard() async throws {
    let repository = try await makeRepository()
    let baseline = try await repository.getBaseline()
    #expect(baseline == .default(kind: kind, lastUpdated: baseline.lastUpdated))
  }

  package func checkBaselineComesBackWhole() async throws {
    let repository = try await makeRepository()
    var baseline = baseline(hrv: 1.0 / 3)
    baseline.hourlyHRV = [0: 0.1 + 0.2, 7: 50, 23: .pi]
    try await repository.updateBaseline(baseline)
    #expect(try await repository.getBaseline() == baseline)
  }

  package func checkBaselineIsReplaced() async throws {
    let repository = try await makeRepository()
    var first = baseline(hrv: 40)
    first.hourlyHRV = [3: 41]
    try await repository.updateBaseline(first)
    let second = baseline(hrv: 45)
    try await repository.updateBaseline(second)
    #expect(try await repository.getBaseline() == second)
  }

  // MARK: - Values

  private func measurement(second: Int) -> StressMeasurement {
    StressMeasurement(
      id: UUID(), timestamp: Self.origin + Double(second), stressLevel: 40.25, category: .mild, confidence: 0.875,
      hrv: 25.5, kind: kind, heartRate: 72.5, restingHeartRate: 58, person: person, deviceID: "gateway",
      modified: Self.origin + 100,
    )
  }

  private func baseline(hrv: Double) -> PersonalBaseline {
    PersonalBaseline(
      restingHeartRate: 57.5, baselineHRV: hrv, kind: kind, sampleCount: 31, isPersonal: true,
      lastUpdated: Self.origin,
    )
  }
}

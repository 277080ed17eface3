import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

/// The stress measurements and the baseline of one person in one HRV metric, in the database.
///
/// Data of other persons or of the other metric is never returned, changed or accepted. Dates are stored to the microsecond
/// (`StoredDate`). Methods throw `RepositoryError` or `CancellationError`.
package struct StressRepository: StressRepositoryProtocol {
  private let database: TachogramDatabase
  private let person: String?
  private let kind: HRVKind
  private let now: @Sendable () -> Date

  /// Creates a repository of `person` (`nil` for no person) with the HRV metric `kind`. `now` is the civil clock, for the times
  /// of deletions and the date of the standard baseline.
  package init(database: TachogramDatabase, person: String?, kind: HRVKind, now: @escaping @Sendable () -> Date) {
    self.database = database
    self.person = person
    self.kind = kind
    self.now = now
  }

  // MARK: - Measurements

  /// Stores a measurement. Also throws `otherPerson`, `otherKind`, `measurementConflict`, and `sessionNotFound` for a session
  /// that is not stored.
  package func save(_ measurement: StressMeasurement) async throws {
    guard measurement.person == person else { throw RepositoryError.otherPerson }
    try check(measurement.kind)
    try await database.asyncWrite { db in try StressMeasurementTable(db: db).store(measurement) }
  }

  /// Stores measurements without a session, all or none. Stored measurements with the same identifiers, and tombstones, are
  /// kept. Also throws `otherPerson` and `otherKind`.
  package func add(_ measurements: [StressMeasurement]) async throws {
    for measurement in measurements {
      guard measurement.person == person else { throw RepositoryError.otherPerson }
      try check(measurement.kind)
    }
    try await database.asyncWrite { db in
      for measurement in measurements { try StressMeasurementTable(db: db).add(measurement) }
    }
  }

  package func fetchRecent(limit: Int) async throws -> [StressMeasurement] {
    try await fetch(limit: limit)
  }

  package func fetchAll() async throws -> [StressMeasurement] {
    try await fetch()
  }

  package func fetchByDateRange(_ start: Date, _ end: Date) async throws -> [StressMeasurement] {
    try await fetch(in: range(start, end))
  }

  /// Replaces a measurement with a tombstone to be synchronised. A measurement that is not stored or already deleted is left
  /// unchanged.
  package func delete(_ measurement: StressMeasurement) async throws {
    try await delete(id: measurement.id)
  }

  /// Replaces all measurements with tombstones to be synchronised.
  package func deleteAll() async throws {
    try await delete(id: nil)
  }

  private func delete(id: UUID?) async throws {
    let modified = now()
    try await database.asyncWrite { [person, kind] db in
      guard case .key(let key) = try PersonTable(db: db).owner(named: person) else { return }
      try StressMeasurementTable(db: db).delete(id: id, person: key, kind: kind, modified: modified)
    }
  }

  private func fetch(
    in microseconds: ClosedRange<Int64>? = .min ... .max, limit: Int = .max,
  ) async throws -> [StressMeasurement] {
    guard let microseconds, limit > 0 else { return [] }
    return try await database.asyncRead { db in try fetch(db, in: microseconds, limit: limit) }
  }

  private func fetch(_ db: Database, in microseconds: ClosedRange<Int64>, limit: Int) throws -> [StressMeasurement] {
    guard case .key(let key) = try PersonTable(db: db).owner(named: person) else { return [] }
    return try StressMeasurementTable(db: db)
      .measurements(person: key, kind: kind, microseconds: microseconds, limit: limit)
  }

  /// Returns the range in microseconds, or `nil` for a range that ends before it starts.
  private func range(_ start: Date, _ end: Date) throws(RepositoryError) -> ClosedRange<Int64>? {
    let first = try StoredDate.microseconds(start, field: "start of the range")
    let last = try StoredDate.microseconds(end, field: "end of the range")
    return first <= last ? first...last : nil
  }

  // MARK: - Baseline

  package func getBaseline() async throws -> PersonalBaseline {
    let stored: PersonalBaseline? = try await database.asyncRead { [person, kind] db in
      guard case .key(let key) = try PersonTable(db: db).owner(named: person) else { return nil }
      return try BaselineTable(db: db).baseline(person: key, kind: kind)
    }
    return stored ?? .default(kind: kind, lastUpdated: now())
  }

  /// Stores a baseline. Also throws `otherKind`.
  package func updateBaseline(_ baseline: PersonalBaseline) async throws {
    try check(baseline.kind)
    try await database.asyncWrite { [person] db in
      try BaselineTable(db: db).store(baseline, person: try PersonTable(db: db).storedKey(of: person))
    }
  }

  /// Stores a baseline unless the person is no longer stored, so that a value computed earlier does not restore a deleted
  /// person.
  package func refreshBaseline(_ baseline: PersonalBaseline) async throws {
    try check(baseline.kind)
    try await database.asyncWrite { [person] db in
      guard case .key(let key) = try PersonTable(db: db).owner(named: person) else { return }
      try BaselineTable(db: db).store(baseline, person: key)
    }
  }

  /// Returns the values for a baseline: the HRV and heart rate of the measurements with `since` ≤ timestamp ≤ `until`, the
  /// oldest first, without those of the session that is measured against the baseline.
  package func hrvHistory(
    since: Date, until: Date, excludingSession: String? = nil,
  ) throws(RepositoryError) -> (hrv: [HRVMeasurement], heartRate: [HeartRateSample]) {
    guard let range = try range(since, until) else { return ([], []) }
    return try database.read { db in
      guard case .key(let owner) = try PersonTable(db: db).owner(named: person) else { return ([], []) }
      let session = try excludingSession.flatMap { id in
        try Int64.fetchOne(db, sql: "SELECT key FROM session WHERE id = ?", arguments: [id])
      }
      return try StressMeasurementTable(db: db)
        .history(person: owner, kind: kind, microseconds: range, excluding: session)
    }
  }

  private func check(_ found: HRVKind) throws {
    guard found == kind else { throw RepositoryError.otherKind(expected: kind, found: found) }
  }
}

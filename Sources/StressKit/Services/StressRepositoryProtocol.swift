import FoundationEssentials

/// A store of the stress measurements and the baseline of one person. Deleted measurements leave a tombstone and are not
/// fetched.
public protocol StressRepositoryProtocol: Sendable {
  /// Inserts the measurement, or replaces the one with the same identifier.
  func save(_ measurement: StressMeasurement) async throws
  /// The newest measurements, the newest first.
  func fetchRecent(limit: Int) async throws -> [StressMeasurement]
  /// All measurements, the newest first.
  func fetchAll() async throws -> [StressMeasurement]
  /// The measurements with `start` ≤ timestamp ≤ `end`, the newest first.
  func fetchByDateRange(_ start: Date, _ end: Date) async throws -> [StressMeasurement]
  func delete(_ measurement: StressMeasurement) async throws
  func deleteAll() async throws
  /// The stored baseline, or the default marked as not personal.
  func getBaseline() async throws -> PersonalBaseline
  func updateBaseline(_ baseline: PersonalBaseline) async throws
}

/// Default implementations. The apps have several versions of this contract: the members that only some versions have are
/// implemented with those that all versions have, or throw if that is not possible.
extension StressRepositoryProtocol {
  /// Default for repositories without this query: fetches the newest measurements without a limit.
  public func fetchAll() async throws -> [StressMeasurement] { try await fetchRecent(limit: .max) }

  /// Default for repositories without this query: filters all measurements.
  public func fetchByDateRange(_ start: Date, _ end: Date) async throws -> [StressMeasurement] {
    guard start <= end else { return [] }
    return try await fetchAll().filter { (start...end).contains($0.timestamp) }
  }

  /// Default for repositories that do not support deletion.
  ///
  /// - Throws: `StressError.storageError`, so that a deletion is never ignored silently.
  public func delete(_ measurement: StressMeasurement) async throws {
    throw StressError.storageError(
      "this repository does not delete single measurements: delete all, or use another one")
  }

  /// Default for repositories without this operation: deletes the measurements one by one.
  public func deleteAll() async throws {
    for measurement in try await fetchAll() { try await delete(measurement) }
  }

  /// Default for repositories that do not store a baseline: returns the default baseline.
  public func getBaseline() async throws -> PersonalBaseline { .default() }

  /// Default for repositories that do not store a baseline.
  ///
  /// - Throws: `StressError.storageError`, so that a baseline is never lost silently.
  public func updateBaseline(_ baseline: PersonalBaseline) async throws {
    throw StressError.storageError("this repository keeps no baseline: use one that does")
  }
}

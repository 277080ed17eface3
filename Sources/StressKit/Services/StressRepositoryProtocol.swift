import FoundationEssentials

/// Keeps stress measurements and the baseline of one person. Deleted measurements leave a tombstone and are not fetched.
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

/// The apps have several versions of this contract. The members that not all of them have are made of those that all have; where
/// that cannot be, they throw.
extension StressRepositoryProtocol {
  /// Of a repository without a question of its own for it: as many of the newest as there are.
  public func fetchAll() async throws -> [StressMeasurement] { try await fetchRecent(limit: .max) }

  /// Of a repository without a question of its own for it: all measurements, looked through.
  public func fetchByDateRange(_ start: Date, _ end: Date) async throws -> [StressMeasurement] {
    guard start <= end else { return [] }
    return try await fetchAll().filter { (start...end).contains($0.timestamp) }
  }

  /// Of a repository that deletes nothing by itself.
  ///
  /// - Throws: `StressError.storageError`: what is to be deleted must not stay without a word.
  public func delete(_ measurement: StressMeasurement) async throws {
    throw StressError.storageError(
      "this repository does not delete single measurements: delete all, or use another one")
  }

  /// Of a repository without an order of its own for it: one after the other.
  public func deleteAll() async throws {
    for measurement in try await fetchAll() { try await delete(measurement) }
  }

  /// Of a repository that keeps no baseline: that of whoever has none yet.
  public func getBaseline() async throws -> PersonalBaseline { .default() }

  /// Of a repository that keeps no baseline.
  ///
  /// - Throws: `StressError.storageError`: what is to be kept must not vanish without a word.
  public func updateBaseline(_ baseline: PersonalBaseline) async throws {
    throw StressError.storageError("this repository keeps no baseline: use one that does")
  }
}

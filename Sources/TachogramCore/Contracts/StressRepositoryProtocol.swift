import FoundationEssentials

/// Keeps stress measurements and the baseline of one person. Deleted measurements leave a tombstone and are not fetched.
package protocol StressRepositoryProtocol: Sendable {
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

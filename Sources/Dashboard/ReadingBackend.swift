import TachogramCore

/// Measurements of some minutes. Methods throw `DashboardError` for requests that cannot be fulfilled.
package protocol ReadingBackend: Sendable {
  /// Begins a measurement in a running session.
  func begin(_ reading: API.NewReading) async throws -> API.RunningReading
  func running(_ id: String) async throws -> API.RunningReading
  /// Ends a measurement without a result.
  func cancel(_ id: String) async throws
  /// Returns the last stored readings of a person, the newest first; `nil` stands for no person, and for readings of any kind.
  func readings(of person: String?, kind: HRVReading.Kind?, limit: Int) async throws -> API.HRVReadings
  func delete(reading id: String) async throws
}

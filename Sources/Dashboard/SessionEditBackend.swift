import TachogramCore

/// The changes that people make to stored sessions. Methods throw `DashboardError` for a session that does not exist, and for a
/// change that is not possible.
package protocol SessionEditBackend: Sendable {
  func change(session: String, _ edit: SessionEdit) async throws -> API.Session
  /// Returns the markers of a session, in the order of their times.
  func markers(of session: String) async throws -> [API.Marker]
  /// Adds a marker; `nil` stands for now.
  func mark(session: String, _ text: String, at time: WallTime?) async throws -> API.Marker
  func unmark(session: String, marker: String) async throws
  /// Splits a session, and returns both parts, the earlier first.
  func split(session: String, at time: WallTime) async throws -> [API.Session]
  /// Appends the later of two sessions to the earlier one, and returns the result.
  func merge(session: String, with other: String) async throws -> API.Session
}

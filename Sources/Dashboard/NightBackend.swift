import TachogramCore

/// The nights: sessions in which a person sleeps. Methods throw `DashboardError` for requests that cannot be fulfilled.
package protocol NightBackend: Sendable {
  /// Returns the nights of a person whose sessions began in a range of time, the newest first; `nil` stands for no person.
  func nights(of person: String?, from: WallTime?, to: WallTime?) async throws -> API.Nights
  func night(_ session: String) async throws -> API.NightDetail
  /// Begins a night in a running session, or in the only running one.
  func begin(_ night: API.NewNight) async throws -> API.Night
  /// Ends the night of a session.
  func end(_ session: String) async throws -> API.Night
  /// Makes the session of a night an ordinary one again. Its beats and movement are kept.
  func forget(_ session: String) async throws
}

import TachogramCore

/// Reads what glances show from the database.
protocol GlanceSourceProtocol: Sendable {
  func directory() async throws -> GlanceDirectory
  /// Returns the 24 hours up to `end`.
  func history(of subject: GlanceSubject, until end: WallTime) async throws -> GlanceHistory
}

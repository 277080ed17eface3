import TachogramCore

/// Reads what glances show from the database.
protocol GlanceSourceProtocol: Sendable {
  func directory() async throws -> GlanceDirectory
  /// Returns the 24 hours up to `end` of a person; `nil` stands for no person.
  func history(of person: String?, until end: WallTime) async throws -> GlanceHistory
}

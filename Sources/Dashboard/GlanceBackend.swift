import Glances

/// The contents of glances.
package protocol GlanceBackend: Sendable {
  /// Returns what a glance of a strap or person shows now. Throws a `DashboardError` if the strap or person is unknown.
  func content(of choice: ReadingChoice) async throws -> GlanceContent
}

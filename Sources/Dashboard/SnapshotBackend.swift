/// The snapshots of the database, restoring one of them, and the databases that were replaced. Methods throw `DashboardError` for a
/// file that does not exist or a snapshot that cannot be restored.
package protocol SnapshotBackend: Sendable {
  /// Returns the snapshots, the newest first.
  func snapshots() async throws -> API.Snapshots
  /// Checks a snapshot completely, and compares it with the database.
  func preview(snapshot id: String) async throws -> API.SnapshotPreview
  /// Restores a snapshot. The station ends its sessions and starts again with it; the replaced database is kept beside it.
  func restore(snapshot id: String) async throws
  /// Compares a database that was replaced with the present one.
  func preview(replaced id: String) async throws -> API.ReplacedPreview
  /// Copies the sessions of a database that was replaced which the present one lacks.
  func copySessions(ofReplaced id: String) async throws -> API.CopiedSessions
}

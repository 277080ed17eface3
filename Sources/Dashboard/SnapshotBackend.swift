/// The snapshots of the database, and restoring one of them. Methods throw `DashboardError` for a snapshot that does not exist
/// or cannot be restored.
package protocol SnapshotBackend: Sendable {
  /// Returns the snapshots, the newest first.
  func snapshots() async throws -> API.Snapshots
  /// Checks a snapshot completely, and compares it with the database.
  func preview(snapshot id: String) async throws -> API.SnapshotPreview
  /// Restores a snapshot. The station ends its sessions and starts again with it; the replaced database is kept beside it.
  func restore(snapshot id: String) async throws
}

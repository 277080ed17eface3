import GRDB

/// Deletes what people entered about sessions and markers that are deleted, inside a transaction, and notes that the own chunks with
/// it are to be replaced. That the target was deleted stays.
struct SyncEditPurge {
  let db: Database

  /// Deletes the values of a target. For a session, also those of its markers.
  func purge(kind: Int64, target: String) throws {
    try purge("kind = ? AND target = ? AND field <> 0", [kind, target])
    guard kind == SyncChangeTable.Kind.session else { return }
    try purge(
      "kind = ? AND field <> 0 AND substr(value, 1, length(?) + 1) = ? || char(10)",
      [Int64(SyncChangeTable.Kind.marker), target, target])
  }

  private func purge(_ condition: String, _ arguments: StatementArguments) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO sync_change (kind, target, time_us)
        SELECT ?, sequence, 0 FROM sync_edit WHERE \(condition) AND sequence IS NOT NULL
        """, arguments: [Int64(SyncRows.Change.editChunk)] + arguments)
    try db.execute(sql: "DELETE FROM sync_edit WHERE \(condition)", arguments: arguments)
  }
}

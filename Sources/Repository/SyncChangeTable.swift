import GRDB

/// What changed and is not sealed, and what was deleted in a space, inside a transaction. A target is stored with the number of its
/// kind.
struct SyncChangeTable {
  /// The numbers of the kinds of targets of edits; those of `EditTarget.Kind` are the same.
  enum Kind {
    static let session: UInt8 = 1
    static let strap: UInt8 = 2
    static let measurement: UInt8 = 4
    static let station: UInt8 = 5
    static let marker: UInt8 = 6
    static let reading: UInt8 = 7
    static let selection: UInt8 = 8
    /// The movement or the night of a session.
    static let night: UInt8 = 64
    /// A session that was split, with the number of entries that it keeps.
    static let cutSession: UInt8 = 69
    /// A session whose levels are others since it was derived again.
    static let levels: UInt8 = 71
  }

  let db: Database

  /// Notes that a target changed.
  func note(_ kind: UInt8, _ target: String) throws {
    try db.execute(
      sql: "INSERT OR IGNORE INTO sync_change (kind, target, time_us) VALUES (?, ?, 0)",
      arguments: [Int64(kind), target])
  }

  /// Whether a target changed and is not sealed.
  func isNoted(_ kind: UInt8, _ target: String) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM sync_change WHERE kind = ? AND target = ?)"),
      arguments: [Int64(kind), target]) ?? false
  }

  /// Whether an edit deleted a target.
  func isDeleted(_ kind: UInt8, _ target: String) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM sync_edit WHERE kind = ? AND target = ? AND field = 0)"),
      arguments: [Int64(kind), target]) ?? false
  }
}

import GRDB
import TachogramCore

/// Replaces copies of a session with that session, inside a transaction.
struct SessionMerge {
  let db: Database

  /// The largest distance between stress levels of copies, in microseconds: half of the minute between two levels.
  private static let levelTolerance: Int64 = 30_000_000

  /// Deletes a copy of a stored session with its stress levels, which those of the kept session replace. Levels that a person
  /// deleted in the copy are deleted in the kept session as well.
  func delete(copy id: String, of kept: Int64) throws {
    let table = SessionTable(db: db)
    let copy = try table.key(of: id)
    try db.execute(
      sql: """
        UPDATE stress_measurement AS level SET is_deleted = 1, is_synced = 0
        WHERE level.session = ? AND level.is_deleted = 0 AND EXISTS (
          SELECT 1 FROM stress_measurement AS other
          WHERE other.session = ? AND other.is_deleted = 1 AND other.kind = level.kind
            AND other.timestamp_us BETWEEN level.timestamp_us - ? AND level.timestamp_us + ?)
        """, arguments: [kept, copy, Self.levelTolerance, Self.levelTolerance])
    let record = try table.record(id)
    let start = record.description.start
    // Marks all of its hours as pending.
    var levels = StressRollup(db: db)
    try CategoryDeletion(db: db, category: .sessions).delete(
      SelectedSession(key: copy, id: id, span: start...max(start, record.end)), with: &levels)
  }

  /// Assigns a session, with its stress levels, to a person, and sets its label; `nil` leaves a value unchanged.
  func assign(_ id: String, person: String?, label: String?) throws {
    let key = try SessionTable(db: db).key(of: id)
    if let label { try db.execute(sql: "UPDATE session SET label = ? WHERE key = ?", arguments: [label, key]) }
    guard let person else { return }
    let rollups = RollupTable(db: db)
    let baselines = BaselineTable(db: db)
    try rollups.markPending(session: key)
    try baselines.delete(ofPersonOf: key)
    let owner = try PersonTable(db: db).storedKey(of: person)
    try db.execute(sql: "UPDATE session SET person = ? WHERE key = ?", arguments: [owner, key])
    try db.execute(sql: "UPDATE stress_measurement SET person = ? WHERE session = ?", arguments: [owner, key])
    try rollups.markPending(session: key)
    try baselines.delete(ofPersonOf: key)
  }
}

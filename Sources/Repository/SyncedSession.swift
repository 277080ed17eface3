import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

/// Tells other stations that a session was split or joined to another one, inside a transaction.
struct SyncedSession {
  let db: Database

  private var changes: SyncChangeTable { SyncChangeTable(db: db) }

  /// Whether this station is a member of a space.
  func isInSpace() throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM sync_space)")) ?? false
  }

  /// Whether other stations may have a session.
  func isShared(_ key: Int64) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM sync_session WHERE session = ? AND (station IS NOT NULL OR sealed_count > 0))
        """, arguments: [key]) ?? false
  }

  /// Whether a session came from another station. One that is not stored did not.
  func isReceived(_ id: String) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM sync_session JOIN session ON session.key = sync_session.session
            WHERE id = ? AND station IS NOT NULL)
          """), arguments: [id]) ?? false
  }

  /// Whether a session that is not stored was deleted, here or by another station.
  func isDeleted(_ id: String) throws -> Bool {
    try changes.isDeleted(SyncChangeTable.Kind.session, id) || changes.isNoted(SyncChangeTable.Kind.session, id)
  }

  /// Notes that a session keeps its first entries, and that the others are those of a new session.
  func noteCut(_ id: String, _ key: Int64, entryCount: Int64, second: Int64) throws {
    // Another station may have imported the session as well.
    guard try isInSpace() else { return }
    try changes.note(SyncChangeTable.Kind.cutSession, "\(id)\n\(entryCount)")
    try limit(key, to: entryCount)
    try sealLevelsAgain(of: second)
  }

  /// Notes that the levels of a session are others since it was derived again.
  func noteLevels(_ id: String, _ key: Int64) throws {
    if try isShared(key) { try changes.note(SyncChangeTable.Kind.levels, id) }
  }

  /// Seals the levels of a new session, with identifiers of their own: another station may have made another session of them.
  func sealLevelsAgain(of key: Int64) throws {
    try db.execute(sql: "UPDATE stress_measurement SET is_synced = 0 WHERE session = ?", arguments: [key])
    guard let id = try String.fetchOne(db, sql: "SELECT id FROM session WHERE key = ?", arguments: [key]) else {
      return
    }
    let levels = try Row.fetchAll(
      db, sql: "SELECT key, timestamp_us FROM stress_measurement WHERE session = ? AND is_deleted = 0",
      arguments: [key])
    for level in levels {
      let row = RowReader(row: level)
      let (level, time): (Int64, Int64) = (try row.integer(0), try row.integer(1))
      try db.execute(
        sql: "UPDATE OR IGNORE stress_measurement SET id = ? WHERE key = ?",
        arguments: [
          StressMeasurement.derivedID(session: id, microseconds: time).uuidString.lowercased(), level,
        ])
    }
  }

  /// Does not seal entries again that a session does not have any more.
  func limit(_ key: Int64, to entryCount: Int64) throws {
    try db.execute(
      sql: "UPDATE sync_session SET sealed_count = min(sealed_count, ?) WHERE session = ? AND station IS NULL",
      arguments: [entryCount, key])
  }

  /// Makes a session of a space a new one of this station, with all that belongs to it. The others delete the old one.
  func renew(_ id: String, _ key: Int64, as new: String) throws {
    try db.execute(sql: "UPDATE session SET id = ? WHERE key = ?", arguments: [new, key])
    try db.execute(sql: "DELETE FROM sync_session WHERE session = ?", arguments: [key])
    try db.execute(
      sql: """
        DELETE FROM sync_sealed_stress
        WHERE measurement IN (SELECT key FROM stress_measurement WHERE session = ?)
        """, arguments: [key])
    try sealLevelsAgain(of: key)
    for target in [id, new] { try changes.note(SyncChangeTable.Kind.session, target) }
    try changes.note(SyncChangeTable.Kind.night, new)
    for (kind, table) in [(SyncChangeTable.Kind.marker, "marker"), (SyncChangeTable.Kind.reading, "reading")] {
      for target in try String.fetchAll(db, sql: "SELECT id FROM \(table) WHERE session = ?", arguments: [key]) {
        try changes.note(kind, target)
      }
    }
  }
}

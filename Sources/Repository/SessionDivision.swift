import GRDB
import StressKit
import TachogramCore

/// Divides a session into two, or joins two into one, inside a transaction. Entries change their session, sequence number and
/// link, but not their bytes and their times on the civil clock.
struct SessionDivision {
  let db: Database

  /// Moves the end of a session into a new one.
  func divide(_ session: String, _ division: DividedSession) throws {
    let table = SessionTable(db: db)
    let key = try table.key(of: session)
    let boundary = try table.record(session).description.wall(division.second.monotonicStart)
    let synced = SyncedSession(db: db)
    try prepare(key, division.kept)
    let second = try table.begin(division.second)
    try MarkerTable(db: db).move(from: key, since: division.second.monotonicStart, to: second, shift: .zero)
    try db.execute(
      sql: "UPDATE stress_measurement SET session = ? WHERE session = ? AND timestamp_us >= ?",
      arguments: [second, key, boundary.microseconds])
    try db.execute(
      sql: "UPDATE reading SET session = ? WHERE session = ? AND start_us >= ?",
      arguments: [second, key, boundary.microseconds])
    try deleteEntries(of: key, from: division.firstCount)
    try db.execute(
      sql: "DELETE FROM sensor_entry WHERE session = ? AND sequence >= ?", arguments: [key, division.firstSensorCount])
    try db.execute(
      sql: "DELETE FROM movement WHERE session = ? AND time_us >= ?",
      arguments: [key, division.second.monotonicStart.microseconds])
    try db.execute(
      sql: "UPDATE OR REPLACE sound SET session = ? WHERE session = ? AND time_us >= ?",
      arguments: [second, key, division.second.monotonicStart.microseconds])
    try SessionWriter(db: db, id: session).write(division.firstBatch)
    try SessionWriter(db: db, id: division.second.id).write(division.secondBatch)
    let levels = StressMeasurementTable(db: db)
    for part in [key, second] { try levels.delete(of: part, deletedIn: part) }
    try table.finish(session)
    try table.finish(division.second.id)
    try BaselineTable(db: db).delete(ofPersonOf: key)
    try synced.noteCut(session, key, entryCount: division.firstCount, second: second)
  }

  /// Deletes the entries of a session from one on, which belong to another session since another station split it.
  func cut(_ session: String, _ key: Int64, entryCount: Int64, _ kind: HRVKind) throws {
    let first = try Int64.fetchOne(
      db, sql: "SELECT monotonic_us FROM ledger WHERE session = ? AND sequence = ?", arguments: [key, entryCount])
    guard let first else { return }
    let table = SessionTable(db: db)
    let boundary = try table.record(session).description.wall(MonotonicTime(microseconds: first))
    try deleteEntries(of: key, from: entryCount)
    try db.execute(
      sql: "DELETE FROM stress_measurement WHERE session = ? AND timestamp_us >= ?",
      arguments: [key, boundary.microseconds])
    try SyncedSession(db: db).limit(key, to: entryCount)
    try table.finish(session)
    try table.notePendingDerivation(key, kind)
  }

  /// Appends the entries of a session to another one, and deletes it. Returns the identifier of the result, which is a new one in
  /// a space: another station may have, or make, a session with the identifier of the first one that goes on otherwise.
  func join(_ session: String, _ joined: JoinedSession) throws -> String {
    let table = SessionTable(db: db)
    let key = try table.key(of: session)
    let other = try table.key(of: joined.other)
    let synced = SyncedSession(db: db)
    for part in [key, other] { try prepare(part, joined.kept) }
    try MarkerTable(db: db).move(
      from: other, since: MonotonicTime(microseconds: .min), to: key, shift: joined.shift)
    try db.execute(sql: "UPDATE stress_measurement SET session = ? WHERE session = ?", arguments: [key, other])
    try db.execute(sql: "UPDATE reading SET session = ? WHERE session = ?", arguments: [key, other])
    try db.execute(
      sql: "UPDATE OR REPLACE sound SET session = ?, time_us = time_us + ? WHERE session = ?",
      arguments: [key, joined.shift.wholeMicroseconds, other])
    try SessionWriter(db: db, id: session).write(joined.batch)
    try StressMeasurementTable(db: db).delete(of: key, deletedIn: key)
    try SessionMerge(db: db).addNote(of: other, to: key)
    try db.execute(
      sql: """
        UPDATE session SET label = coalesce(session.label, other.label)
        FROM session AS other WHERE session.key = ? AND other.key = ?
        """, arguments: [key, other])
    try db.execute(sql: "DELETE FROM session WHERE key = ?", arguments: [other])
    try table.finish(session)
    try BaselineTable(db: db).delete(ofPersonOf: key)
    guard try synced.isInSpace() else { return session }
    try synced.renew(session, key, as: joined.newID)
    return joined.newID
  }

  /// Deletes the entries of a session from one on, and the links on which no other arrived.
  private func deleteEntries(of key: Int64, from sequence: Int64) throws {
    try db.execute(sql: "DELETE FROM ledger WHERE session = ? AND sequence >= ?", arguments: [key, sequence])
    try db.execute(
      sql: "DELETE FROM link WHERE session = ? AND number NOT IN (SELECT link FROM ledger WHERE session = ?)",
      arguments: [key, key])
  }

  /// Deletes the derived rows of a session that are not kept. The trends of hours whose windows were deleted are kept.
  private func prepare(_ key: Int64, _ kept: RederivedSession.Kept) throws {
    if !kept.keepsWindows { try RollupTable(db: db).markPending(session: key) }
    for table in ["artifact", "beat", "gap", "hrv_window", "owed"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [key])
    }
    guard !kept.keepsStress else { return }
    try db.execute(sql: "DELETE FROM stress_measurement WHERE session = ? AND is_deleted = 0", arguments: [key])
  }
}

import GRDB
import TachogramCore

/// Deletes rows in transactions that fit into the free space of a full disk: the log contains each page that a transaction
/// changes, and can start over after each one.
struct SlicedDeletion {
  /// The number of rows in the first transaction, and the divisor of the number if a transaction does not fit.
  private static let (rows, divisor) = (2_000, 4)
  /// The tables with rows of sessions, referring tables first, with the columns that identify a row within a session.
  private static let tables: KeyValuePairs = [
    "artifact": "beat", "gap": "sequence", "hrv_window": "length, end_us", "beat": "sequence", "ledger": "sequence",
  ]

  let database: TachogramDatabase

  /// Calls `whole`, in one transaction. If the disk is too full for that, calls `sliced` with the reserve released.
  func make<Value>(
    _ whole: () throws(RepositoryError) -> Value,
    _ sliced: (SlicedDeletion) throws(RepositoryError) -> Value,
  ) throws(RepositoryError) -> Value {
    // The log is moved into the file while there is space, because it may need a page when the deletion has filled the log.
    let isLow = FreeSpace(at: database.path)?.isLow ?? false
    if isLow { database.releaseReserve() }
    defer {
      // Truncates the log.
      if isLow { _ = try? database.emptyLog() }
      database.renewReserve()
      database.keepReserve()
    }
    _ = try? database.checkpoint(.passive)
    do throws(RepositoryError) {
      return try whole()
    } catch {
      guard case .full = error else { throw error }
    }
    database.releaseReserve()
    try database.emptyLog()
    return try sliced(self)
  }

  /// Deletes the rows of a category of sessions, and the data stored beside them.
  func delete(
    _ category: DataCategory, of sessions: [SelectedSession], _ selection: SessionSelection,
  ) throws(RepositoryError) {
    for session in sessions {
      if category == .windows {
        try deleteRows("hrv_window", of: session)
        continue
      }
      try database.write { db in try CategoryDeletion(db: db, category: category).prepare(session) }
      try slice { db, limit in
        try deleteLevels(db) { levels in
          try levels.delete(
            where: "key IN (SELECT key FROM stress_measurement WHERE session = ? LIMIT ?)",
            arguments: [session.key, limit])
        }
      }
      guard category == .sessions else { continue }
      try deleteRecording(session)
      try database.write { db in
        try deleteLevels(db) { levels in
          try CategoryDeletion(db: db, category: category).delete(session, with: &levels)
        }
      }
      try beginLogAnew()
    }
    guard category != .windows else { return }
    try slice { db, limit in
      try deleteLevels(db) { levels in
        try HistoryDeletion(db: db, selection: selection)?.deleteStress(limit: limit, with: &levels) ?? 0
      }
    }
    guard category == .sessions else { return }
    try slice { db, limit in
      try HistoryDeletion(db: db, selection: selection)?.deleteTrends(limit: limit) ?? 0
    }
  }

  private func deleteLevels<Value>(_ db: Database, _ body: (inout StressRollup) throws -> Value) throws -> Value {
    var levels = StressRollup(db: db)
    let value = try body(&levels)
    try levels.update()
    return value
  }

  /// Deletes the ledger and the derived rows of a session. The session itself is kept, empty.
  func deleteRecording(_ session: SelectedSession) throws(RepositoryError) {
    for table in Self.tables { try deleteRows(table.key, of: session) }
  }

  /// Deletes the rows of a session in a table, from the last to the first.
  func deleteRows(_ table: String, of session: SelectedSession) throws(RepositoryError) {
    guard let row = Self.tables.first(where: { $0.key == table })?.value else { return }
    let order = row.split(separator: ",").map { "\($0) DESC" }.joined(separator: ",")
    try slice { db, limit in
      try db.execute(
        sql: """
          DELETE FROM \(table) WHERE session = ? AND (\(row)) IN (
            SELECT \(row) FROM \(table) WHERE session = ? ORDER BY \(order) LIMIT ?)
          """, arguments: [session.key, session.key, limit])
      return db.changesCount
    }
  }

  /// Calls `body`, which deletes at most the given number of rows and returns their number, until it deletes fewer.
  private func slice(_ body: (Database, Int) throws -> Int) throws(RepositoryError) {
    var limit = Self.rows
    while true {
      do throws(RepositoryError) {
        let count = try database.write { db in try body(db, limit) }
        try beginLogAnew()
        if count < limit { return }
      } catch {
        guard case .full = error, limit > 1 else { throw error }
        limit = max(1, limit / Self.divisor)
        try beginLogAnew()
      }
    }
  }

  /// Moves the log into the file, so that the next transaction overwrites it: its space on the disk stays allocated.
  private func beginLogAnew() throws(RepositoryError) {
    _ = try database.checkpoint(.restart)
  }
}

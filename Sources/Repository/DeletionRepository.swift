import GRDB
import TachogramCore

/// Deletes sessions for good: the bytes are overwritten in the file, and the write-ahead log is emptied into it.
package struct DeletionRepository: Sendable {
  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// What the selected sessions hold.
  package func preview(_ selection: SessionSelection) throws(RepositoryError) -> SessionContents {
    try database.read { db in try contents(db, try selected(db, selection)) }
  }

  /// Deletes the selected sessions with all that derives from them, the stress measurements too. Trends are to be
  /// refreshed after it. With a person and nothing else, or with everything, the people are forgotten as well.
  ///
  /// - Returns: What was deleted.
  @discardableResult
  package func delete(_ selection: SessionSelection) throws(RepositoryError) -> SessionContents {
    let deleted = try database.write { db in
      let sessions = try selected(db, selection)
      let found = try contents(db, sessions)
      for session in sessions { try delete(db, session.key) }
      try forgetPeople(db, selection)
      return found
    }
    try database.emptyLog()
    return deleted
  }

  /// Deletes the windows of sessions that ended before an instant, and keeps all else of them. `running` are the sessions
  /// that are being recorded; one that was cut off counts as ended.
  package func deleteWindows(before time: WallTime, except running: Set<String>) throws(RepositoryError) {
    let old = try ended(before: time, except: running)
    try database.write { db in
      for id in old {
        try db.execute(
          sql: "DELETE FROM hrv_window WHERE session = (SELECT key FROM session WHERE id = ?)", arguments: [id])
      }
    }
  }

  /// Deletes sessions that ended before an instant, by a policy: what hours and days amounted to stays, and so do the
  /// stress measurements. `running` are the sessions that are being recorded; one that was cut off counts as ended.
  ///
  /// - Returns: How many.
  package func expire(before time: WallTime, except running: Set<String>) throws(RepositoryError) -> Int {
    let old = try ended(before: time, except: running)
    try database.write { db in
      for id in old { try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id]) }
    }
    return old.count
  }

  private func ended(before time: WallTime, except running: Set<String>) throws(RepositoryError) -> [String] {
    try database.read { db in try SessionTable(db: db).all() }
      .filter { $0.end < time && !running.contains($0.description.id) }.map(\.description.id)
  }

  /// Deletes what hours and days before an instant amounted to.
  package func deleteTrends(before time: WallTime) throws(RepositoryError) {
    try database.write { db in try RollupTable(db: db).delete(before: time) }
  }

  // MARK: - Selecting

  /// The selected sessions, by their keys, with the time from the first entry of each to its last.
  private func selected(
    _ db: Database, _ selection: SessionSelection,
  ) throws -> [(key: Int64, span: ClosedRange<WallTime>)] {
    var owner: Int64?
    if let person = selection.person {
      guard case .key(let key) = try PersonTable(db: db).owner(named: person) else { return [] }
      owner = key
    }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT session.key, session.id, start_us,
          (SELECT wall_us FROM ledger WHERE ledger.session = session.key ORDER BY sequence DESC LIMIT 1)
        FROM session JOIN strap ON strap.id = session.strap
        WHERE (? IS NULL OR session.id = ?) AND (? IS NULL OR person = ?) AND (? IS NULL OR address = ?)
        """,
      arguments: [
        selection.session, selection.session, owner, owner, selection.strap?.description, selection.strap?.description,
      ])
    var sessions: [(key: Int64, span: ClosedRange<WallTime>)] = []
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      if selection.excluding.contains(try reader.text(1)) { continue }
      let start: Int64 = try reader.integer(2)
      let span = WallTime(microseconds: start)...WallTime(microseconds: max(start, reader.optionalInteger(3) ?? start))
      if let range = selection.range, !(range.contains(span.lowerBound) && range.contains(span.upperBound)) {
        continue
      }
      sessions.append((try reader.integer(0), span))
    }
    return sessions
  }

  private func contents(
    _ db: Database, _ sessions: [(key: Int64, span: ClosedRange<WallTime>)],
  ) throws -> SessionContents {
    var contents = SessionContents()
    for (key, span) in sessions {
      contents.sessions += 1
      contents.notifications += try count("ledger", "AND kind = 0", db, key)
      contents.beats += try count("beat", "", db, key)
      contents.stress += try count("stress_measurement", "AND is_deleted = 0", db, key)
      contents.first = min(contents.first ?? span.lowerBound, span.lowerBound)
      contents.last = max(contents.last ?? span.upperBound, span.upperBound)
    }
    return contents
  }

  private func count(_ table: String, _ condition: String, _ db: Database, _ key: Int64) throws -> Int64 {
    let sql = "SELECT count(*) FROM \(table) WHERE session = ? \(condition)"
    return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [key]) ?? 0
  }

  // MARK: - Deleting

  private func delete(_ db: Database, _ key: Int64) throws {
    try RollupTable(db: db).markPending(session: key)
    // A tombstone says no more than that something was there.
    try db.execute(sql: "DELETE FROM stress_measurement WHERE session = ?", arguments: [key])
    try db.execute(sql: "DELETE FROM session WHERE key = ?", arguments: [key])
  }

  private func forgetPeople(_ db: Database, _ selection: SessionSelection) throws {
    guard selection.session == nil, selection.strap == nil, selection.range == nil, selection.excluding.isEmpty else {
      return
    }
    if let person = selection.person {
      try db.execute(sql: "DELETE FROM person WHERE name = ?", arguments: [person])
    } else {
      try db.execute(
        sql: "DELETE FROM stress_measurement; DELETE FROM baseline; DELETE FROM rollup; DELETE FROM person")
    }
  }
}

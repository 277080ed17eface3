import GRDB
import TachogramCore

/// Deletes for good: the bytes are overwritten in the file, and the write-ahead log is emptied into it.
package struct DeletionRepository: Sendable {
  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// What the selected sessions hold of a category, and what is stored beside them of the same people and times.
  package func preview(
    _ selection: SessionSelection, _ category: DataCategory = .sessions,
  ) throws(RepositoryError) -> SessionContents {
    try database.read { db in
      try CategoryDeletion(db: db, category: category).contents(try selected(db, selection), of: selection)
    }
  }

  /// Deletes what the selected sessions hold of a category: by default themselves with all that derives from them, the
  /// stress measurements too, and what is stored beside sessions of the same people and times. Trends are to be refreshed
  /// after it. When sessions go with a person and nothing else, or with everything, the people of whom no session stays are
  /// forgotten as well.
  ///
  /// What is usual for these people is computed anew by who keeps it.
  ///
  /// `running` gives the sessions that are being recorded, which stay: it is asked when nobody else can write any more, so
  /// that none can have begun since.
  ///
  /// - Returns: What was deleted.
  @discardableResult
  package func delete(
    _ selection: SessionSelection, _ category: DataCategory = .sessions, except running: () -> Set<String> = { [] },
  ) throws(RepositoryError) -> SessionContents {
    let deleted = try database.write { db in
      var selection = selection
      selection.excluding.formUnion(running())
      let sessions = try selected(db, selection)
      let deletion = CategoryDeletion(db: db, category: category)
      let found = try deletion.contents(sessions, of: selection)
      try deletion.delete(sessions, of: selection)
      if category == .sessions { try SessionTable(db: db).deleteUnusedStraps() }
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
  ) throws -> [CategoryDeletion.Session] {
    // Without a person: whoever's.
    guard case .key(let owner) = try PersonTable(db: db).owner(named: selection.person) else { return [] }
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
    var sessions: [CategoryDeletion.Session] = []
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      if selection.excluding.contains(try reader.text(1)) { continue }
      let start: Int64 = try reader.integer(2)
      let span = WallTime(microseconds: start)...WallTime(microseconds: max(start, reader.optionalInteger(3) ?? start))
      if let range = selection.range, !(range.contains(span.lowerBound) && range.contains(span.upperBound)) {
        continue
      }
      sessions.append(CategoryDeletion.Session(key: try reader.integer(0), span: span))
    }
    return sessions
  }
}

import GRDB
import TachogramCore

/// Deletes for good: the bytes are overwritten in the file, and the write-ahead log is emptied into it.
package struct DeletionRepository: Sendable {
  /// What a deletion needs of a full disk, in bytes, where it is done in small parts.
  package static let leastRoom = 131_072

  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// What the selected sessions hold of a category, and what is stored beside them of the same people and times.
  package func preview(
    _ selection: SessionSelection, _ category: DataCategory = .sessions,
  ) throws(RepositoryError) -> SessionContents {
    try database.read { db in
      try CategoryDeletion(db: db, category: category)
        .contents(try SelectedSession.all(db, selection), of: selection)
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
  /// It is one transaction. On a disk that is too full for its log, it is many small ones that need hardly any room, and
  /// the room that is kept for them is used: one that fails all the same has deleted a part, and doing it again goes on.
  ///
  /// - Returns: What was deleted.
  @discardableResult
  package func delete(
    _ selection: SessionSelection, _ category: DataCategory = .sessions, except running: () -> Set<String> = { [] },
  ) throws(RepositoryError) -> SessionContents {
    func delete() throws(RepositoryError) -> SessionContents {
      try database.write { db in
        let (selection, sessions) = try selected(db, selection, except: running)
        let deletion = CategoryDeletion(db: db, category: category)
        let found = try deletion.contents(sessions, of: selection)
        try deletion.delete(sessions, of: selection)
        if category == .sessions { try SessionTable(db: db).deleteUnusedStraps() }
        return found
      }
    }
    let deleted = try SlicedDeletion(database: database).make(delete) { slices throws(RepositoryError) in
      let (found, selection, sessions) = try database.write { db in
        let (selection, sessions) = try selected(db, selection, except: running)
        let found = try CategoryDeletion(db: db, category: category).contents(sessions, of: selection)
        return (found, selection, sessions)
      }
      try slices.delete(category, of: sessions, selection)
      // What is left is little.
      _ = try delete()
      return found
    }
    try database.emptyLog()
    return deleted
  }

  /// Deletes the windows of sessions that ended before an instant, and keeps all else of them. `running` are the sessions
  /// that are being recorded; one that was cut off counts as ended.
  package func deleteWindows(before time: WallTime, except running: Set<String>) throws(RepositoryError) {
    let old = try ended(before: time, except: running)
    func delete() throws(RepositoryError) {
      try database.write { db in
        for session in old {
          try db.execute(
            sql: "DELETE FROM hrv_window WHERE session = (SELECT key FROM session WHERE id = ?)",
            arguments: [session.id])
        }
      }
    }
    try SlicedDeletion(database: database).make(delete) { slices throws(RepositoryError) in
      for session in old { try slices.deleteRows("hrv_window", of: session) }
      try delete()
    }
  }

  /// Deletes sessions that ended before an instant, by a policy: what hours and days amounted to stays, and so do the
  /// stress measurements. `running` are the sessions that are being recorded; one that was cut off counts as ended.
  ///
  /// - Returns: How many.
  package func expire(before time: WallTime, except running: Set<String>) throws(RepositoryError) -> Int {
    let old = try ended(before: time, except: running)
    func delete() throws(RepositoryError) {
      try database.write { db in
        for session in old { try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [session.id]) }
      }
    }
    try SlicedDeletion(database: database).make(delete) { slices throws(RepositoryError) in
      for session in old { try slices.deleteRecording(session) }
      try delete()
    }
    return old.count
  }

  private func ended(before time: WallTime, except running: Set<String>) throws(RepositoryError) -> [SelectedSession] {
    try database.read { db in
      var selection = SessionSelection()
      selection.excluding = running
      return try SelectedSession.all(db, selection).filter { $0.span.upperBound < time }
    }
  }

  /// Deletes what hours and days before an instant amounted to.
  package func deleteTrends(before time: WallTime) throws(RepositoryError) {
    try database.write { db in try RollupTable(db: db).delete(before: time) }
  }

  /// The selected sessions but those that are being recorded, and the selection that says so.
  private func selected(
    _ db: Database, _ selection: SessionSelection, except running: () -> Set<String>,
  ) throws -> (SessionSelection, [SelectedSession]) {
    var selection = selection
    selection.excluding.formUnion(running())
    return (selection, try SelectedSession.all(db, selection))
  }
}

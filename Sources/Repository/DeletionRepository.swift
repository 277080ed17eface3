import GRDB
import TachogramCore

/// Deletes data irrecoverably: the bytes are overwritten in the file, and the write-ahead log is moved into it and emptied.
package struct DeletionRepository: Sendable {
  /// The disk space that a deletion in small parts needs, in bytes.
  package static let leastRoom = 131_072

  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// Returns the contents of a category in the selected sessions, and the data that is stored outside sessions for the same
  /// people and times.
  package func preview(
    _ selection: SessionSelection, _ category: DataCategory = .sessions,
  ) throws(RepositoryError) -> SessionContents {
    try database.read { db in
      try CategoryDeletion(db: db, category: category)
        .contents(try SelectedSession.all(db, selection), of: selection)
    }
  }

  /// Deletes the data of a category in the selected sessions: by default, the sessions themselves with all data derived from
  /// them, including stress measurements, and the data that is stored outside sessions for the same people and times. Trends
  /// have to be refreshed afterwards. If the selection consists only of a person, or of everything, people without remaining
  /// sessions are deleted as well.
  ///
  /// The baselines of these people are computed again by the component that maintains them.
  ///
  /// `running` returns the sessions that are being recorded, which are kept. It is called within the write transaction, so that
  /// no other session can begin after the call.
  ///
  /// The deletion is one transaction. On a disk that is too full for its log, it consists of many small transactions, which
  /// need little space and use the reserved space. If one of these fails nevertheless, a part has been deleted, and a repeated
  /// call continues the deletion.
  ///
  /// - Returns: The contents that were deleted.
  @discardableResult
  package func delete(
    _ selection: SessionSelection, _ category: DataCategory = .sessions, except running: () -> Set<String> = { [] },
  ) throws(RepositoryError) -> SessionContents {
    func delete() throws(RepositoryError) -> SessionContents {
      try database.write { db in
        let (selection, sessions) = try selected(db, selection, except: running)
        try Self.noteScope(selection, category, db)
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
      // Little is left to delete at this point.
      _ = try delete()
      return found
    }
    try database.emptyLog()
    return deleted
  }

  /// Deletes the windows of sessions that ended before an instant, and keeps their other data. `running` are the sessions that
  /// are being recorded; an interrupted session counts as ended.
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

  /// Deletes sessions that ended before an instant, as a policy requires. The rollups of hours and days and the stress
  /// measurements are kept. `running` are the sessions that are being recorded; an interrupted session counts as ended.
  ///
  /// - Returns: The number of deleted sessions.
  package func expire(before time: WallTime, except running: Set<String>) throws(RepositoryError) -> Int {
    let old = try ended(before: time, except: running)
    func delete() throws(RepositoryError) {
      try database.write { db in
        for session in old {
          try Self.noteExpiry(session.id, db)
          try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [session.id])
        }
      }
    }
    try SlicedDeletion(database: database).make(delete) { slices throws(RepositoryError) in
      try database.write { db in for session in old { try Self.noteExpiry(session.id, db) } }
      for session in old { try slices.deleteRecording(session) }
      try delete()
    }
    return old.count
  }

  /// Notes what is deleted for other stations. Sessions that are deleted one by one are noted by themselves; windows can be derived
  /// again.
  private static func noteScope(_ selection: SessionSelection, _ category: DataCategory, _ db: Database) throws {
    guard category != .windows, selection.session == nil || category != .sessions,
      try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM sync_space)") == true,
      let now = try Double.fetchOne(db, sql: "SELECT (julianday('now') - 2440587.5) * 86400000000")
    else { return }
    let scope = SyncScope(selection, category, at: WallTime(microseconds: Int64(now)))
    try db.execute(
      sql: "INSERT OR IGNORE INTO sync_change (kind, target, time_us) VALUES (?, ?, ?)",
      arguments: [SyncScope.kind, scope.text, scope.time.microseconds])
  }

  /// Notes that a policy deletes a session here: other stations keep it, and it is not stored again.
  private static func noteExpiry(_ session: String, _ db: Database) throws {
    try db.execute(
      sql: "INSERT OR IGNORE INTO sync_expired (session) SELECT ? WHERE EXISTS (SELECT 1 FROM sync_space)",
      arguments: [session])
  }

  private func ended(before time: WallTime, except running: Set<String>) throws(RepositoryError) -> [SelectedSession] {
    try database.read { db in
      var selection = SessionSelection()
      selection.excluding = running
      return try SelectedSession.all(db, selection).filter { $0.span.upperBound < time }
    }
  }

  /// Deletes the rollups of hours and days that begin before an instant.
  package func deleteTrends(before time: WallTime) throws(RepositoryError) {
    try database.write { db in try RollupTable(db: db).delete(before: time) }
  }

  /// Returns the selected sessions without those that are being recorded, and the selection that excludes these.
  private func selected(
    _ db: Database, _ selection: SessionSelection, except running: () -> Set<String>,
  ) throws -> (SessionSelection, [SelectedSession]) {
    var selection = selection
    selection.excluding.formUnion(running())
    return (selection, try SelectedSession.all(db, selection))
  }
}

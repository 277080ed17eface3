import GRDB
import TachogramCore

/// Counts and deletes the data of one category in sessions, within one database access.
struct CategoryDeletion {
  let db: Database
  let category: DataCategory

  func contents(_ sessions: [SelectedSession], of selection: SessionSelection) throws -> SessionContents {
    var contents = SessionContents()
    for session in sessions {
      contents.sessions += 1
      if category == .sessions {
        contents.notifications += try count("ledger", "AND kind = 0", session.key)
        contents.beats += try count("beat", "", session.key)
        contents.readings += try count("reading", "", session.key)
      }
      if category != .windows {
        contents.stress += try count("stress_measurement", "AND is_deleted = 0", session.key)
      }
      if category != .stress { contents.windows += try count("hrv_window", "", session.key) }
      contents.first = min(contents.first ?? session.span.lowerBound, session.span.lowerBound)
      contents.last = max(contents.last ?? session.span.upperBound, session.span.upperBound)
    }
    guard category != .windows, let history = try HistoryDeletion(db: db, selection: selection) else { return contents }
    contents.stress += try history.countStress()
    if category == .sessions {
      contents.readings += try history.countReadings()
      contents.trends = try history.countTrends(without: sessions.map(\.key))
      contents.people = try history.countPeople(without: sessions.map(\.key))
    }
    return contents
  }

  /// Deletes the selected data at once.
  func delete(_ sessions: [SelectedSession], of selection: SessionSelection) throws {
    var levels = StressRollup(db: db)
    for session in sessions { try delete(session, with: &levels) }
    if category != .windows, let history = try HistoryDeletion(db: db, selection: selection) {
      try history.deleteStress(with: &levels)
      if category == .sessions {
        try history.deleteReadings()
        try history.deleteTrends()
        try history.forgetPeople()
      }
    }
    try levels.update()
  }

  /// Deletes the data of one session. The rollups of the hours that lose stress levels are updated by `levels.update()`.
  func delete(_ session: SelectedSession, with levels: inout StressRollup) throws {
    // The rollups of hours and days are kept when windows are deleted, as they are when a policy deletes windows.
    if category == .windows { return try delete("hrv_window", session.key) }
    try prepare(session)
    // Tombstones are deleted as well: they only record that a measurement existed.
    _ = try levels.delete(where: "session = ?", arguments: [session.key])
    guard category == .sessions else { return }
    try delete("reading", session.key)
    try db.execute(sql: "DELETE FROM session WHERE key = ?", arguments: [session.key])
  }

  /// Deletes the baselines and marks the hours that have to be computed again without a session.
  func prepare(_ session: SelectedSession) throws {
    // The baselines were computed from this session as well.
    try BaselineTable(db: db).delete(ofPersonOf: session.key)
    guard category == .sessions else { return }
    let rollups = RollupTable(db: db)
    try rollups.markPending(session: session.key)
    try rollups.markPending(span: session.span, ofPersonOf: session.key)
  }

  private func count(_ table: String, _ condition: String, _ key: Int64) throws -> Int64 {
    let sql = "SELECT count(*) FROM \(table) WHERE session = ? \(condition)"
    return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [key]) ?? 0
  }

  private func delete(_ table: String, _ key: Int64) throws {
    try db.execute(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [key])
  }
}

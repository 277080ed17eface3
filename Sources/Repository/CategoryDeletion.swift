import GRDB
import TachogramCore

/// Counts and deletes what sessions hold of one category, inside one database access.
struct CategoryDeletion {
  /// A selected session, with the time from its first entry to its last.
  struct Session {
    let key: Int64
    let span: ClosedRange<WallTime>
  }

  let db: Database
  let category: DataCategory

  func contents(_ sessions: [Session], of selection: SessionSelection) throws -> SessionContents {
    var contents = SessionContents()
    for session in sessions {
      contents.sessions += 1
      if category == .sessions {
        contents.notifications += try count("ledger", "AND kind = 0", session.key)
        contents.beats += try count("beat", "", session.key)
      }
      if category != .windows {
        contents.stress += try count("stress_measurement", "AND is_deleted = 0", session.key)
      }
      if category != .stress { contents.windows += try count("hrv_window", "", session.key) }
      contents.first = min(contents.first ?? session.span.lowerBound, session.span.lowerBound)
      contents.last = max(contents.last ?? session.span.upperBound, session.span.upperBound)
    }
    if category == .stress, let loose = try loose(selection) {
      let sql = "SELECT count(*) FROM stress_measurement WHERE is_deleted = 0 AND \(loose.condition)"
      contents.stress += try Int64.fetchOne(db, sql: sql, arguments: loose.arguments) ?? 0
    }
    return contents
  }

  func delete(_ sessions: [Session], of selection: SessionSelection) throws {
    for session in sessions {
      if category != .stress { try RollupTable(db: db).markPending(session: session.key) }
      switch category {
      case .sessions:
        // A tombstone says no more than that something was there.
        try delete("stress_measurement", session.key)
        try db.execute(sql: "DELETE FROM session WHERE key = ?", arguments: [session.key])
      case .stress: try delete("stress_measurement", session.key)
      case .windows: try delete("hrv_window", session.key)
      }
    }
    if category == .stress, let loose = try loose(selection) {
      try db.execute(sql: "DELETE FROM stress_measurement WHERE \(loose.condition)", arguments: loose.arguments)
    }
  }

  private func count(_ table: String, _ condition: String, _ key: Int64) throws -> Int64 {
    let sql = "SELECT count(*) FROM \(table) WHERE session = ? \(condition)"
    return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [key]) ?? 0
  }

  private func delete(_ table: String, _ key: Int64) throws {
    try db.execute(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [key])
  }

  /// The stress levels of no session that are selected; `nil` where the selection is one of sessions or straps.
  private func loose(_ selection: SessionSelection) throws -> (condition: String, arguments: StatementArguments)? {
    guard selection.session == nil, selection.strap == nil else { return nil }
    // Without a person: whoever's.
    guard case .key(let owner) = try PersonTable(db: db).owner(named: selection.person) else { return nil }
    let range = selection.range
    return (
      "session IS NULL AND (? IS NULL OR person = ?) AND timestamp_us BETWEEN ? AND ?",
      [owner, owner, range?.lowerBound.microseconds ?? .min, range?.upperBound.microseconds ?? .max]
    )
  }
}

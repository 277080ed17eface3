import FoundationEssentials
import GRDB
import TachogramCore

/// The persons, labels, notes and markers that people add to sessions.
package struct AnnotationRepository: Sendable {
  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// Changes the person, label or note of a session. A change of the person applies to its stress levels as well. Throws
  /// `sessionNotFound`.
  package func change(_ sessionID: String, _ edit: SessionEdit) throws(RepositoryError) {
    try database.write { db in try SessionMerge(db: db).assign(sessionID, edit) }
  }

  /// Adds a marker at an instant of the civil clock, which is placed beside the last entry that arrived before it. Throws
  /// `sessionNotFound`, and `outsideSession` for an instant before the session, after the end of a complete one, or more than a
  /// minute after `now`.
  package func mark(
    _ sessionID: String, at time: WallTime, now: WallTime? = nil, _ text: String
  ) throws(RepositoryError) -> SessionMarker {
    try database.write { db in
      let record = try SessionTable(db: db).record(sessionID)
      let session = record.description
      var end = max(record.end, session.start)
      if !record.isComplete, let now { end = max(end, now.advanced(by: .seconds(60))) }
      // Times in text are truncated to milliseconds.
      let isAtStart = time < session.start && session.start.duration(since: time) < .milliseconds(1)
      let time = isAtStart ? session.start : time
      guard time >= session.start, time <= end || !record.isComplete && now == nil else {
        throw RepositoryError.outsideSession(session: sessionID, start: session.start, end: end)
      }
      let key = try SessionTable(db: db).key(of: sessionID)
      let marker = SessionMarker(
        id: UUID().uuidString.lowercased(), time: try instant(of: time, in: session, key: key, db), text: text)
      try MarkerTable(db: db).store(marker, session: key)
      return marker
    }
  }

  /// Returns the instant of the session's axis at which the civil clock showed `time`. A clock that was set back showed it
  /// twice; the later instant is returned.
  private func instant(
    of time: WallTime, in session: SessionDescription, key: Int64, _ db: Database
  ) throws -> MonotonicTime {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT monotonic_us, wall_us FROM ledger WHERE session = ? AND wall_us <= ? ORDER BY sequence DESC LIMIT 1
          """), arguments: [key, time.microseconds])
    guard let row = row.map(RowReader.init(row:)) else {
      return session.monotonicStart.advanced(by: time.duration(since: session.start))
    }
    let entry = MonotonicTime(microseconds: try row.integer(0))
    return entry.advanced(by: time.duration(since: WallTime(microseconds: try row.integer(1))))
  }

  /// Stores markers of a session, such as those of an export. Throws `sessionNotFound`.
  package func add(_ markers: [SessionMarker], to sessionID: String) throws(RepositoryError) {
    try database.write { db in
      let key = try SessionTable(db: db).key(of: sessionID)
      for marker in markers { try MarkerTable(db: db).store(marker, session: key) }
    }
  }

  /// Deletes a marker. Throws `sessionNotFound` and `markerNotFound`.
  package func unmark(_ sessionID: String, _ marker: String) throws(RepositoryError) {
    try database.write { db in
      guard try MarkerTable(db: db).delete(marker, of: SessionTable(db: db).key(of: sessionID)) else {
        throw RepositoryError.markerNotFound(id: marker, session: sessionID)
      }
    }
  }
}

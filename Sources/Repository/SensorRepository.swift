import GRDB
import TachogramCore

/// What straps sent beside the heart rate, as it was received.
package struct SensorRepository: Sendable {
  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// Appends entries to those of a session, completely or not at all. Throws `sessionNotFound`, and `sequenceHole` if they do not
  /// follow the stored ones.
  package func append(_ entries: [SensorEntry], to sessionID: String) throws(RepositoryError) {
    guard !entries.isEmpty else { return }
    try database.write { db in try SensorTable(db: db, id: sessionID).append(entries) }
  }

  /// Returns the number of the next entry of a session. Throws `sessionNotFound`.
  package func nextSequence(of sessionID: String) throws(RepositoryError) -> Int64 {
    try database.read { db in
      try SequencedTable.sensorEntry.nextSequence(db, session: try SessionTable(db: db).key(of: sessionID))
    }
  }

  /// Calls `body` with the entries of a session in order, at most `batchSize` at a time. `body` may use the database. Throws
  /// `sessionNotFound`, or the error of `body`.
  package func forEachEntry(of sessionID: String, batchSize: Int = 1_000, _ body: ([SensorEntry]) throws -> Void) throws
  {
    var next: Int64 = 0
    while true {
      let batch: [SensorEntry] = try database.read { db in
        try SensorTable(db: db, id: sessionID).entries(from: next, limit: max(1, batchSize))
      }
      guard let last = batch.last else { return }
      try body(batch)
      next = last.sequence + 1
    }
  }

  /// Deletes the entries of sessions whose last entry arrived before `time`, except of those in `running`. Returns the number of
  /// these sessions.
  package func expire(before time: WallTime, except running: Set<String>) throws(RepositoryError) -> Int {
    try database.write { db in
      let sessions = try Row.fetchAll(
        db,
        sql: """
          SELECT session.key, session.id FROM session
          WHERE (
            SELECT wall_us FROM sensor_entry WHERE session = session.key ORDER BY sequence DESC LIMIT 1
          ) < ?
          """, arguments: [time.microseconds]
      ).map { row in (key: try RowReader(row: row).integer(0, as: Int64.self), id: try RowReader(row: row).text(1)) }
      let ended = sessions.filter { !running.contains($0.id) }
      for session in ended {
        try db.execute(sql: "DELETE FROM sensor_entry WHERE session = ?", arguments: [session.key])
      }
      return ended.count
    }
  }
}

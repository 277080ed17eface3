import GRDB
import TachogramCore

/// What straps sent beside the heart rate, as it was received.
package struct SensorRepository: Sendable {
  /// The kind of an entry, as stored in the column `kind`.
  private enum Kind: Int64 {
    case frame = 0
    case started = 1
    case stopped = 2
  }

  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// Appends entries to those of a session, completely or not at all. Throws `sessionNotFound`, and `sequenceHole` if they do not
  /// follow the stored ones.
  package func append(_ entries: [SensorEntry], to sessionID: String) throws(RepositoryError) {
    guard !entries.isEmpty else { return }
    try database.write { db in
      let key = try SessionTable(db: db).key(of: sessionID)
      var next = try SequencedTable.sensorEntry.nextSequence(db, session: key)
      for entry in entries {
        guard entry.sequence == next else {
          throw RepositoryError.sequenceHole(
            session: sessionID, table: SequencedTable.sensorEntry.rawValue, expected: next, found: entry.sequence)
        }
        next += 1
      }
      try BulkInsertion(
        db, "INSERT INTO sensor_entry (session, sequence, link, kind, monotonic_us, wall_us, value)", columnCount: 7
      )
      .insert(entries) { statement, index, entry in
        let (kind, value) = Self.row(of: entry.content)
        try statement.bind(key, at: index)
        try statement.bind(entry.sequence, at: index + 1)
        try statement.bind(Int64(entry.link), at: index + 2)
        try statement.bind(kind.rawValue, at: index + 3)
        try statement.bind(entry.monotonic.microseconds, at: index + 4)
        try statement.bind(entry.wall.microseconds, at: index + 5)
        try statement.bind(value, at: index + 6)
      }
    }
  }

  /// Calls `body` with the entries of a session in order, at most `batchSize` at a time. `body` may use the database. Throws
  /// `sessionNotFound`, or the error of `body`.
  package func forEachEntry(of sessionID: String, batchSize: Int = 1_000, _ body: ([SensorEntry]) throws -> Void) throws
  {
    var next: Int64 = 0
    while true {
      let batch: [SensorEntry] = try database.read { db in
        try entries(db, try SessionTable(db: db).key(of: sessionID), from: next, limit: max(1, batchSize))
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

  private func entries(_ db: Database, _ key: Int64, from sequence: Int64, limit: Int) throws -> [SensorEntry] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT sequence, link, kind, monotonic_us, wall_us, value FROM sensor_entry
          WHERE session = ? AND sequence >= ? ORDER BY sequence LIMIT ?
          """), arguments: [key, sequence, limit])
    var entries: [SensorEntry] = []
    while let row = try rows.next() {
      let row = RowReader(row: row)
      guard let kind = Kind(rawValue: try row.integer(2)), let content = Self.content(kind, try row.bytes(5)) else {
        throw row.unexpected(5)
      }
      entries.append(
        SensorEntry(
          sequence: try row.integer(0), link: try row.integer(1),
          monotonic: MonotonicTime(microseconds: try row.integer(3)),
          wall: WallTime(microseconds: try row.integer(4)), content: content))
    }
    return entries
  }

  /// A request is shorter than 256 bytes: it fits into a packet of Bluetooth Low Energy.
  private static func row(of content: SensorEntry.Content) -> (Kind, [UInt8]) {
    switch content {
    case .frame(let bytes): (.frame, bytes)
    case .started(let request, let response):
      (.started, [UInt8(clamping: request.count)] + request.prefix(255) + response)
    case .stopped(let bytes): (.stopped, bytes)
    }
  }

  private static func content(_ kind: Kind, _ value: [UInt8]) -> SensorEntry.Content? {
    switch kind {
    case .frame: return .frame(value)
    case .stopped: return .stopped(value)
    case .started:
      guard let length = value.first.map(Int.init), value.count > length else { return nil }
      return .started(request: Array(value.dropFirst().prefix(length)), response: Array(value.dropFirst(1 + length)))
    }
  }
}

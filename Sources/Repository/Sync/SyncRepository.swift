import GRDB
import TachogramCore

/// The state of synchronisation, in the database whose sessions it is about: one transaction changes both.
package struct SyncRepository: Sendable {
  let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  // MARK: - The space

  /// Returns the space whose member this station is, or `nil` if there is none.
  package func space() throws(RepositoryError) -> SyncRows.Space? {
    try database.read { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT space, station, store, generation, clock_us, clock_counter, synchronised_us, name,
            problem, revision
          FROM sync_space
          """)
      guard let row = row.map(RowReader.init(row:)) else { return nil }
      var space = SyncRows.Space(
        space: try row.bytes(0), station: try row.bytes(1), store: try row.text(2), name: try row.text(7),
        generation: try row.integer(3),
        clock: SyncRows.Clock(wall: WallTime(microseconds: try row.integer(4)), counter: try row.integer(5)))
      space.synchronised = row.optionalInteger(6).map(WallTime.init(microseconds:))
      space.problem = row.optionalText(8)
      space.revision = try row.integer(9)
      return space
    }
  }

  /// Makes this station a member of a space. All that is stored is to be sealed then.
  package func join(_ space: SyncRows.Space, memberRecords: [[UInt8]: [UInt8]]) throws(RepositoryError) {
    try database.write { db in
      try Self.clear(db)
      let statement = try RawStatement(
        db,
        sql: """
          INSERT INTO sync_space (key, space, station, store, name, generation, clock_us, clock_counter)
          VALUES (1, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, ?)
          """)
      try statement.bind(space.space, at: 1)
      try statement.bind(space.station, at: 2)
      try statement.bind(Array(space.store.utf8), at: 3)
      try statement.bind(Array(space.name.utf8), at: 4)
      try statement.bind(Int64(space.generation), at: 5)
      try statement.bind(space.clock.wall.microseconds, at: 6)
      try statement.bind(Int64(space.clock.counter), at: 7)
      try statement.run()
      try Self.store(memberRecords, db)
      try Self.noteEverything(db)
    }
  }

  /// Continues the membership of this station as another member, with an empty log. All that is stored is to be sealed again.
  package func restart(as station: [UInt8], memberRecords: [[UInt8]: [UInt8]]) throws(RepositoryError) {
    try database.write { db in
      try SyncLogTable(db: db).discardUnsent()
      for table in ["sync_sealed", "sync_sealed_stress"] { try db.execute(sql: "DELETE FROM \(table)") }
      try db.execute(sql: "DELETE FROM sync_session WHERE station IS NULL")
      try db.execute(sql: "UPDATE sync_log SET carried = 0")
      let statement = try RawStatement(db, sql: "UPDATE sync_space SET station = ?, revision = revision + 1")
      try statement.bind(station, at: 1)
      try statement.run()
      try db.execute(sql: "UPDATE stress_measurement SET is_synced = 0 WHERE session IS NULL")
      try Self.store(memberRecords, db)
      try Self.noteEverything(db)
    }
  }

  /// Ends the membership: deletes the state of synchronisation. Sessions are kept.
  package func leave() throws(RepositoryError) {
    try database.write { db in try Self.clear(db) }
  }

  private static func clear(_ db: Database) throws {
    for table in [
      "sync_space", "sync_member_record", "sync_sealed", "sync_sealed_stress", "sync_session", "sync_edit",
      "sync_change", "sync_finding", "sync_log",
    ] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
    try db.execute(sql: "UPDATE stress_measurement SET is_synced = 0 WHERE is_synced = 1")
  }

  /// Goes on in a new generation of the space, with the chunks of earlier ones deleted. With `uploading`, all that this station
  /// recorded, and what it received from stations that are not among the `members` any more, is to be sealed again, with what was
  /// entered and deleted.
  package func beginGeneration(
    _ generation: UInt32, uploading: Bool, headerLength: Int, members: [[UInt8]]
  ) throws(RepositoryError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE sync_space SET generation = ?, revision = revision + 1", arguments: [Int64(generation)])
      // What was not uploaded is a header without its content, so that the log has no hole.
      try db.execute(
        sql: """
          UPDATE sync_sealed SET session = NULL, is_dropped = 0,
            envelope = CASE WHEN is_uploaded THEN NULL ELSE substr(envelope, 1, ?) END
          """, arguments: [headerLength])
      guard uploading else {
        try db.execute(sql: "DELETE FROM sync_edit WHERE field <> 0")
        return
      }
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO sync_change (kind, target, time_us) SELECT kind, target, 0 FROM sync_edit WHERE field = 0
          """)
      try db.execute(sql: "DELETE FROM sync_edit")
      let numbers = try members.map { try SyncLogTable(db: db).storedNumber(of: $0) }
      for station in try Int64.fetchAll(db, sql: "SELECT station FROM sync_log") where !numbers.contains(station) {
        try db.execute(sql: "UPDATE sync_session SET station = NULL WHERE station = ?", arguments: [station])
      }
      try db.execute(sql: "DELETE FROM sync_sealed_stress")
      try db.execute(
        sql: """
          UPDATE stress_measurement SET is_synced = 0
          WHERE NOT EXISTS (SELECT 1 FROM sync_session
            WHERE sync_session.session = stress_measurement.session AND station IS NOT NULL)
          """)
      try db.execute(sql: "DELETE FROM sync_session WHERE station IS NULL")
      try Self.noteEverything(db)
    }
  }

  /// Notes all that people entered as changed, so that it is sealed.
  private static func noteEverything(_ db: Database) throws {
    let targets: [(UInt8, String)] = [
      (SyncChangeTable.Kind.session, "SELECT id, start_us FROM session WHERE note IS NOT NULL"),
      (
        SyncChangeTable.Kind.strap,
        "SELECT address || '/' || kind, added_us FROM known_strap JOIN strap ON strap.id = known_strap.strap"
      ),
      (
        SyncChangeTable.Kind.measurement,
        "SELECT id, modified_us FROM stress_measurement WHERE is_deleted = 1"
      ),
      (
        SyncChangeTable.Kind.marker,
        "SELECT marker.id, start_us FROM marker JOIN session ON session.key = marker.session"
      ),
      (SyncChangeTable.Kind.station, "SELECT lower(hex(station)), 0 FROM sync_space"),
      (SyncChangeTable.Kind.reading, "SELECT id, start_us FROM reading"),
      (
        SyncChangeTable.Kind.night,
        """
        SELECT id, start_us FROM session
        WHERE key IN (SELECT session FROM movement UNION SELECT session FROM sleep_session)
        """
      ),
    ]
    for (kind, rows) in targets {
      try db.execute(sql: "INSERT OR IGNORE INTO sync_change (kind, target, time_us) SELECT \(kind), * FROM (\(rows))")
    }
  }

  /// Stores the civil time of a complete synchronisation.
  package func setSynchronised(_ time: WallTime) throws(RepositoryError) {
    try database.write { db in
      try db.execute(sql: "UPDATE sync_space SET synchronised_us = ?, problem = NULL", arguments: [time.microseconds])
    }
  }

  /// Stores why a synchronisation failed.
  package func setProblem(_ problem: String) throws(RepositoryError) {
    try database.write { db in
      try db.execute(sql: "UPDATE sync_space SET problem = ? WHERE problem IS NOT ?", arguments: [problem, problem])
    }
  }

  // MARK: - Members

  /// Returns the member records by their digests.
  package func memberRecords() throws(RepositoryError) -> [[UInt8]] {
    try database.read { db in
      try Row.fetchAll(db, sql: "SELECT bytes FROM sync_member_record ORDER BY digest").map {
        try RowReader(row: $0).bytes(0)
      }
    }
  }

  /// Stores member records by their digests. Stored ones are kept.
  package func add(memberRecords: [[UInt8]: [UInt8]]) throws(RepositoryError) {
    try database.write { db in
      try Self.store(memberRecords, db)
      try SyncLogTable(db: db).noteChange()
    }
  }

  private static func store(_ records: [[UInt8]: [UInt8]], _ db: Database) throws {
    let statement = try RawStatement(
      db, sql: "INSERT OR IGNORE INTO sync_member_record (digest, bytes) VALUES (?, ?)")
    for (digest, bytes) in records {
      try statement.bind(digest, at: 1)
      try statement.bind(bytes, at: 2)
      try statement.run()
    }
  }

  // MARK: - Logs

  /// Returns the logs.
  package func logs() throws(RepositoryError) -> [SyncRows.Log] {
    try database.read { db in
      try Row.fetchAll(db, sql: "SELECT id, state, carried FROM sync_log ORDER BY station").map { row in
        let row = RowReader(row: row)
        return SyncRows.Log(station: try row.bytes(0), state: try row.bytes(1), carried: try row.integer(2))
      }
    }
  }

  /// Returns the verified chunks of a log, in order.
  package func chunks(of station: [UInt8]) throws(RepositoryError) -> [SyncRows.Chunk] {
    try database.read { db in
      let number = try SyncLogTable(db: db).number(of: station)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT sequence, digest, previous, epoch, sealed_us, has_body FROM sync_chunk
          WHERE station = ? ORDER BY sequence
          """, arguments: [number])
      var chunks: [SyncRows.Chunk] = []
      while let row = try rows.next() {
        let row = RowReader(row: row)
        chunks.append(
          SyncRows.Chunk(
            sequence: try row.integer(0), digest: try row.bytes(1), previous: try row.bytes(2),
            epoch: try row.integer(3), sealed: row.optionalInteger(4).map(WallTime.init(microseconds:)),
            hasBody: try row.bool(5)))
      }
      return chunks
    }
  }

  /// Replaces what is stored of a log, as when a person accepts a restored store.
  package func replace(_ log: SyncRows.Log, _ chunks: [SyncRows.Chunk]) throws(RepositoryError) {
    try database.write { db in
      let table = SyncLogTable(db: db)
      let number = try table.storedNumber(of: log.station)
      try db.execute(sql: "DELETE FROM sync_chunk WHERE station = ?", arguments: [number])
      try table.store(log, chunks)
    }
  }

  // MARK: - Edits

  /// Returns all edits.
  package func edits() throws(RepositoryError) -> [SyncRows.Edit] {
    try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT kind, target, field, value, wall_us, counter, id FROM sync_edit NATURAL JOIN sync_log
          """)
      var edits: [SyncRows.Edit] = []
      while let row = try rows.next() {
        edits.append(try Self.edit(RowReader(row: row)))
      }
      return edits
    }
  }

  /// Returns when those of the sessions that are stored were deleted in the space, one time for each of them.
  package func deletions(of sessions: [String]) throws(RepositoryError) -> [WallTime] {
    try database.read { db in
      let statement = try db.makeStatement(
        sql: """
          SELECT max(wall_us) FROM sync_edit
          WHERE kind = 1 AND target = ? AND field = 0 AND EXISTS (SELECT 1 FROM session WHERE id = target)
          """)
      return try Set(sessions).compactMap { try Int64.fetchOne(statement, arguments: [$0]) }
        .map(WallTime.init(microseconds:))
    }
  }

  /// Returns an edit from the columns kind, target, field, value, wall_us, counter and id.
  static func edit(_ row: RowReader) throws -> SyncRows.Edit {
    SyncRows.Edit(
      kind: try row.integer(0), target: try row.text(1), field: try row.integer(2), value: row.optionalText(3),
      clock: SyncRows.Clock(wall: WallTime(microseconds: try row.integer(4)), counter: try row.integer(5)),
      station: try row.bytes(6))
  }
}

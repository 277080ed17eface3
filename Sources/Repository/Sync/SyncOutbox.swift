import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

/// What this station has to seal, and its sealed chunks.
package struct SyncOutbox: Sendable {
  /// A stress level that is not sealed.
  package struct Level: Sendable {
    package let measurement: StressMeasurement
    fileprivate let key: Int64
    fileprivate let modified: Int64
  }

  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  // MARK: - What is not sealed

  /// Returns the sessions of this station that have entries, or an end, that are not sealed, the newest first. The cost is a
  /// lookup for each session.
  package func unsealed() throws(RepositoryError) -> [SyncRows.Unsealed] {
    try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT id, coalesce(sealed_count, 0), coalesce(is_over, 0)
          FROM session LEFT JOIN sync_session ON sync_session.session = session.key
          WHERE sync_session.station IS NULL AND (
            is_over IS NULL OR is_over <> is_complete OR sealed_count <> coalesce(
              (SELECT sequence + 1 FROM ledger WHERE ledger.session = session.key ORDER BY sequence DESC LIMIT 1), 0))
          ORDER BY start_us DESC, session.key DESC
          """)
      let table = SessionTable(db: db)
      return try rows.map { row in
        let row = RowReader(row: row)
        return SyncRows.Unsealed(
          session: try table.record(try row.text(0)), sealedCount: try row.integer(1), wasOver: try row.bool(2))
      }
    }
  }

  /// Returns at most `limit` entries of a session from a sequence, with all of its links. Throws `sessionNotFound`.
  package func entries(
    of session: String, from sequence: Int64, limit: Int
  ) throws(RepositoryError) -> (links: [StrapLink], entries: [LedgerEntry]) {
    try database.read { db in
      let reader = SessionReader(db: db, key: try SessionTable(db: db).key(of: session))
      return (try reader.links(), try reader.entries(from: sequence, limit: limit))
    }
  }

  /// Returns at most `limit` stress levels of this station that are not sealed, without those that a person deleted.
  package func levels(limit: Int) throws(RepositoryError) -> [Level] {
    try database.read { db in
      let keys = try Row.fetchAll(
        db,
        sql: """
          SELECT level.key, level.modified_us FROM stress_measurement AS level
            LEFT JOIN sync_session ON sync_session.session = level.session
            LEFT JOIN sync_sealed_stress ON sync_sealed_stress.measurement = level.key
          WHERE level.is_synced = 0 AND level.is_deleted = 0 AND sync_session.station IS NULL
            AND sync_sealed_stress.modified_us IS NOT level.modified_us
          ORDER BY level.key LIMIT ?
          """, arguments: [limit])
      return try keys.map { try Self.level(RowReader(row: $0), db) }
    }
  }

  /// Returns at most `limit` stress levels of a session, sealed or not, without those that a person deleted.
  package func levels(of session: String, limit: Int) throws(RepositoryError) -> [Level] {
    try database.read { db in
      let keys = try Row.fetchAll(
        db,
        sql: """
          SELECT level.key, level.modified_us FROM session CROSS JOIN stress_measurement AS level ON level.session = session.key
          WHERE session.id = ? AND level.is_deleted = 0 LIMIT ?
          """, arguments: [session, limit])
      return try keys.map { try Self.level(RowReader(row: $0), db) }
    }
  }

  private static func level(_ row: RowReader, _ db: Database) throws -> Level {
    let key: Int64 = try row.integer(0)
    guard let measurement = try StressMeasurementTable(db: db).measurement(key: key) else { throw row.unexpected(0) }
    return Level(measurement: measurement, key: key, modified: try row.integer(1))
  }

  /// Returns whether something is to be sealed at once: what people entered, or a session that is over.
  package func hasUrgent() throws(RepositoryError) -> Bool {
    try database.read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM sync_change WHERE kind < ? OR kind > ?)
          """, arguments: [Int64(SyncRows.Change.night), Int64(SyncRows.Change.night)]) ?? false
    }
  }

  /// Returns the changes that are not sealed, the oldest first.
  package func changes() throws(RepositoryError) -> [SyncRows.Change] {
    try database.read { db in
      try Row.fetchAll(db, sql: "SELECT number, kind, target, time_us FROM sync_change ORDER BY number").map { row in
        let row = RowReader(row: row)
        return SyncRows.Change(
          number: try row.integer(0), kind: try row.integer(1), target: try row.text(2),
          time: WallTime(microseconds: try row.integer(3)))
      }
    }
  }

  /// Returns a marker and its session, or `nil` if it was deleted.
  package func marker(_ id: String) throws(RepositoryError) -> (marker: SessionMarker, session: String)? {
    try database.read { db in
      let session = try String.fetchOne(
        db, sql: "SELECT session.id FROM marker JOIN session ON session.key = marker.session WHERE marker.id = ?",
        arguments: [id])
      guard let session else { return nil }
      let markers = try MarkerTable(db: db).markers(of: try SessionTable(db: db).key(of: session))
      return markers.first { $0.id == id }.map { ($0, session) }
    }
  }

  /// Returns a reading, or `nil` if it was deleted.
  package func reading(_ id: String) throws(RepositoryError) -> HRVReading? {
    try database.read { db in try ReadingRepository.reading(id, db) }
  }

  /// Returns whether other stations of a space may have a session. Throws `sessionNotFound`.
  package func isShared(_ session: String) throws(RepositoryError) -> Bool {
    try database.read { db in try SyncedSession(db: db).isShared(try SessionTable(db: db).key(of: session)) }
  }

  /// Returns whether a session was deleted in the space. No session can have its identifier: other stations would not store it.
  package func isDeleted(_ session: String) throws(RepositoryError) -> Bool {
    try database.read { db in try SyncedSession(db: db).isDeleted(session) }
  }

  /// Returns whether a session came from the log of another station.
  package func isReceived(_ session: String) throws(RepositoryError) -> Bool {
    try database.read { db in try SyncedSession(db: db).isReceived(session) }
  }

  /// Returns the edits that an own chunk has, without those that were deleted since.
  package func edits(inChunk sequence: UInt64) throws(RepositoryError) -> [SyncRows.Edit] {
    try database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT kind, target, field, value, wall_us, counter, id FROM sync_edit NATURAL JOIN sync_log
          WHERE sequence = ?
          """, arguments: [Int64(clamping: sequence)]
      ).map { try SyncRepository.edit(RowReader(row: $0)) }
    }
  }

  /// Returns the own chunks with the data of a session, of a kind or of all.
  package func sequences(of session: String, kind: UInt8? = nil) throws(RepositoryError) -> [UInt64] {
    try database.read { db in
      try Int64.fetchAll(
        db, sql: "SELECT sequence FROM sync_sealed WHERE session = ? AND (? IS NULL OR kind = ?) ORDER BY sequence",
        arguments: [session, kind.map { Int64($0) }, kind.map { Int64($0) }]
      ).map { UInt64($0) }
    }
  }

  // MARK: - Sealed chunks

  /// Stores sealed chunks with what is sealed by them, all or nothing.
  package func store(_ sealing: SyncSealing) throws(RepositoryError) {
    try database.write { db in
      let logs = SyncLogTable(db: db)
      try logs.store(sealing.log, sealing.chunks)
      let statement = try RawStatement(
        db,
        sql: """
          INSERT INTO sync_sealed (sequence, kind, session, envelope, is_uploaded) VALUES (?, ?, CAST(? AS TEXT), ?, 0)
          """)
      for sealed in sealing.sealed {
        try statement.bind(Int64(sealed.sequence), at: 1)
        try statement.bind(Int64(sealed.kind), at: 2)
        if let session = sealed.session {
          try statement.bind(Array(session.utf8), at: 3)
        } else {
          try statement.bindNull(at: 3)
        }
        try statement.bind(sealed.envelope ?? [], at: 4)
        try statement.run()
      }
      for progress in sealing.progress {
        // The session may have been deleted meanwhile; its deletion is noted then.
        try db.execute(
          sql: """
            INSERT INTO sync_session (session, station, sealed_count, is_over)
            SELECT key, NULL, ?, ? FROM session WHERE id = ?
            ON CONFLICT (session) DO UPDATE SET sealed_count = excluded.sealed_count, is_over = excluded.is_over
            """, arguments: [progress.sealedCount, progress.isOver, progress.session])
      }
      for (level, sequence) in sealing.stress {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO sync_sealed_stress (measurement, modified_us, sequence)
            SELECT key, ?, ? FROM stress_measurement WHERE key = ?
            """, arguments: [level.modified, Int64(sequence), level.key])
      }
      try logs.store(sealing.edits)
      try logs.discard(sealing.discarded)
      for edit in sealing.edits where edit.field == 0 {
        try SyncEditPurge(db: db).purge(kind: Int64(edit.kind), target: edit.target)
      }
      for change in sealing.done {
        try db.execute(sql: "DELETE FROM sync_change WHERE number = ?", arguments: [change.number])
      }
      for (station, sequence) in sealing.carried {
        let number = try logs.storedNumber(of: station)
        try db.execute(
          sql: "UPDATE sync_log SET carried = max(carried, ?) WHERE station = ?", arguments: [Int64(sequence), number])
      }
      for sequence in sealing.dropped {
        try db.execute(
          sql: """
            UPDATE sync_sealed SET is_dropped = is_uploaded, session = NULL,
              envelope = CASE WHEN is_uploaded THEN NULL ELSE substr(envelope, 1, ?) END
            WHERE sequence = ?
            """, arguments: [sealing.headerLength, Int64(sequence)])
      }
      if let clock = sealing.clock { try logs.store(clock) }
    }
  }

  /// Stores that the store has a chunk of this station.
  static func adopt(_ sealed: SyncRows.Sealed, _ db: Database) throws {
    try db.execute(
      sql: "INSERT OR IGNORE INTO sync_sealed (sequence, kind, session, is_uploaded) VALUES (?, ?, ?, 1)",
      arguments: [Int64(sealed.sequence), Int64(sealed.kind), sealed.session])
  }

  /// Returns the chunks whose bodies are to be deleted in the store.
  package func dropped() throws(RepositoryError) -> [UInt64] {
    try database.read { db in
      try Int64.fetchAll(db, sql: "SELECT sequence FROM sync_sealed WHERE is_dropped = 1").map {
        UInt64($0)
      }
    }
  }

  /// Returns chunks to upload, in order, until `byteLimit` is exceeded.
  package func pending(byteLimit: Int) throws(RepositoryError) -> [SyncRows.Sealed] {
    try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT sequence, kind, session, envelope, is_uploaded, is_dropped FROM sync_sealed
          WHERE is_uploaded = 0 ORDER BY sequence
          """)
      var (chunks, size): ([SyncRows.Sealed], Int) = ([], 0)
      while size <= byteLimit, let row = try rows.next() {
        let chunk = try Self.sealed(RowReader(row: row))
        size += chunk.envelope?.count ?? 0
        chunks.append(chunk)
      }
      return chunks
    }
  }

  /// Returns the chunks among some sequences that are still kept.
  package func kept(_ sequences: ClosedRange<UInt64>) throws(RepositoryError) -> [SyncRows.Sealed] {
    try database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT sequence, kind, session, envelope, is_uploaded, is_dropped FROM sync_sealed
          WHERE sequence BETWEEN ? AND ? AND envelope IS NOT NULL ORDER BY sequence
          """, arguments: [Int64(clamping: sequences.lowerBound), Int64(clamping: sequences.upperBound)]
      ).map { try Self.sealed(RowReader(row: $0)) }
    }
  }

  private static func sealed(_ row: RowReader) throws -> SyncRows.Sealed {
    let hasEnvelope = row.row[3] as Data? != nil
    var sealed = SyncRows.Sealed(
      sequence: try row.integer(0), kind: try row.integer(1), session: row.optionalText(2),
      envelope: hasEnvelope ? try row.bytes(3) : nil)
    (sealed.isUploaded, sealed.isDropped) = (try row.bool(4), try row.bool(5))
    return sealed
  }

  /// Returns the number of chunks that are not uploaded, and their size in bytes.
  package func queue() throws(RepositoryError) -> (count: Int, bytes: Int) {
    try database.read { db in
      let row = try Row.fetchOne(
        db, sql: "SELECT count(*), coalesce(sum(length(envelope)), 0) FROM sync_sealed WHERE is_uploaded = 0")
      guard let row = row.map(RowReader.init(row:)) else { return (0, 0) }
      return (try row.integer(0), try row.integer(1))
    }
  }

  /// Stores that the store has these chunks. Their stress levels are synchronised, unless they were changed since.
  package func setUploaded(_ sequences: [UInt64]) throws(RepositoryError) {
    try database.write { db in
      for sequence in sequences.map({ Int64($0) }) {
        try db.execute(sql: "UPDATE sync_sealed SET is_uploaded = 1 WHERE sequence = ?", arguments: [sequence])
        try db.execute(
          sql: """
            UPDATE stress_measurement SET is_synced = 1 FROM sync_sealed_stress AS sealed
            WHERE sealed.sequence = ? AND stress_measurement.key = sealed.measurement
              AND stress_measurement.modified_us = sealed.modified_us
            """, arguments: [sequence])
        try db.execute(sql: "DELETE FROM sync_sealed_stress WHERE sequence = ?", arguments: [sequence])
      }
    }
  }

  /// Stores that the bodies of these chunks are deleted in the store.
  package func setBodiesDeleted(_ sequences: [UInt64]) throws(RepositoryError) {
    try database.write { db in
      for sequence in sequences {
        try db.execute(sql: "UPDATE sync_sealed SET is_dropped = 0 WHERE sequence = ?", arguments: [Int64(sequence)])
      }
    }
  }

  /// Deletes the kept chunks up to a sequence, which all readers have, except their places.
  package func release(through sequence: UInt64) throws(RepositoryError) {
    try database.write { db in
      try db.execute(
        sql: "UPDATE sync_sealed SET envelope = NULL WHERE sequence <= ? AND is_uploaded = 1 AND envelope IS NOT NULL",
        arguments: [Int64(clamping: sequence)])
    }
  }

  /// Notes that the contents of chunks are to be sealed again. `editKind` is the kind of chunks of edits.
  package func sealAgain(_ sequences: [UInt64], editKind: UInt8) throws(RepositoryError) {
    try database.write { db in
      for sequence in sequences {
        let lost = "(SELECT key FROM session WHERE id = (SELECT session FROM sync_sealed WHERE sequence = ?))"
        let arguments: StatementArguments = [Int64(sequence)]
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO sync_change (kind, target, time_us)
            SELECT ?, sequence, 0 FROM sync_sealed WHERE sequence = ? AND kind = ?
            """, arguments: [Int64(SyncRows.Change.editChunk)] + arguments + [Int64(editKind)])
        try db.execute(
          sql: "UPDATE sync_session SET sealed_count = 0 WHERE session = \(lost)", arguments: arguments)
        try db.execute(
          sql: "UPDATE stress_measurement SET is_synced = 0 WHERE session = \(lost)", arguments: arguments)
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO sync_change (kind, target, time_us)
            SELECT ?, id, 0 FROM session WHERE key = \(lost)
            """, arguments: [Int64(SyncRows.Change.night)] + arguments)
      }
    }
  }
}

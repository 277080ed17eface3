import GRDB
import StressKit
import TachogramCore

/// The table of sessions, with their straps.
struct SessionTable {
  let db: Database

  /// Returns the key that represents a session in other tables. Throws `sessionNotFound`.
  func key(of id: String) throws -> Int64 {
    let key = try Int64.fetchOne(db.cachedStatement(sql: "SELECT key FROM session WHERE id = ?"), arguments: [id])
    guard let key else { throw RepositoryError.sessionNotFound(prefix: id) }
    return key
  }

  // MARK: - Writing

  /// Stores a session, or replaces the description of a stored one and deletes its derived rows. Returns its key.
  func begin(_ session: SessionDescription) throws -> Int64 {
    // The hours that its windows belonged to so far: the session may begin again for another person or at another time.
    let stored = try Int64.fetchOne(db, sql: "SELECT key FROM session WHERE id = ?", arguments: [session.id])
    if let stored { try RollupTable(db: db).markPending(session: stored) }
    try db.execute(
      sql: """
        INSERT INTO session (
          id, strap, person, origin, label, made_from, device_id, start_us, start_monotonic_us, is_complete)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
        ON CONFLICT (id) DO UPDATE SET
          strap = excluded.strap, person = excluded.person, origin = excluded.origin, label = excluded.label,
          made_from = excluded.made_from, device_id = excluded.device_id, start_us = excluded.start_us,
          start_monotonic_us = excluded.start_monotonic_us, is_complete = 0
        """,
      arguments: [
        session.id, try storedKey(of: session.strap.address), try PersonTable(db: db).storedKey(of: session.person),
        session.origin.rawValue, session.label, session.madeFrom, session.deviceID, session.start.microseconds,
        session.monotonicStart.microseconds,
      ],
    )
    let key = try key(of: session.id)
    try deleteDerived(of: key)
    try db.execute(sql: "DELETE FROM session_characteristic WHERE session = ?", arguments: [key])
    try describe(key, session.strap.characteristics)
    return key
  }

  /// Stores the characteristics of a strap, in place of earlier values.
  func describe(_ key: Int64, _ characteristics: [UInt16: [UInt8]]) throws {
    for (uuid, value) in characteristics {
      let statement = try RawStatement(
        db, sql: "INSERT OR REPLACE INTO session_characteristic (session, uuid, value) VALUES (?, ?, ?)",
      )
      try statement.bind(key, at: 1)
      try statement.bind(Int64(uuid), at: 2)
      try statement.bind(value, at: 3)
      try statement.run()
    }
  }

  func finish(_ id: String) throws {
    try db.execute(sql: "UPDATE session SET is_complete = 1 WHERE key = ?", arguments: [try key(of: id)])
  }

  /// Deletes the derived rows of a stored session, so that all of them can be stored again.
  func empty(_ id: String) throws {
    let key = try key(of: id)
    try RollupTable(db: db).markPending(session: key)
    try deleteDerived(of: key)
  }

  /// Marks a session whose entries are stored without derived rows.
  func notePendingDerivation(_ key: Int64, _ kind: HRVKind) throws {
    try db.execute(
      sql: "INSERT OR IGNORE INTO owed (session, kind) VALUES (?, ?)", arguments: [key, kind.rawValue])
  }

  /// Removes the mark that derived rows are pending.
  func clearPendingDerivation(_ key: Int64) throws {
    try db.execute(sql: "DELETE FROM owed WHERE session = ?", arguments: [key])
  }

  /// Returns the sessions with pending derived rows, the oldest first.
  func pendingDerivations() throws -> [(id: String, kind: HRVKind)] {
    let sql = "SELECT id, kind FROM owed CROSS JOIN session ON session.key = owed.session ORDER BY start_us, key"
    return try Row.fetchAll(db, sql: sql).map { row in
      let row = RowReader(row: row)
      guard let kind = HRVKind(rawValue: try row.text(1)) else { throw row.unexpected(1) }
      return (try row.text(0), kind)
    }
  }

  /// Deletes the derived rows of a session and its mark of pending rows. Tombstones are kept, so that deleted data does not
  /// reappear when the session is derived again.
  private func deleteDerived(of key: Int64) throws {
    for table in ["artifact", "beat", "gap", "hrv_window", "owed"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [key])
    }
    try db.execute(sql: "DELETE FROM stress_measurement WHERE session = ? AND is_deleted = 0", arguments: [key])
  }

  /// Returns the key of a strap, which is stored if it is new.
  func storedKey(of address: BluetoothAddress) throws -> Int64 {
    let arguments: StatementArguments = [address.description, address.kind.rawValue]
    try db.execute(sql: "INSERT OR IGNORE INTO strap (address, kind) VALUES (?, ?)", arguments: arguments)
    let key = try Int64.fetchOne(db, sql: "SELECT id FROM strap WHERE address = ? AND kind = ?", arguments: arguments)
    guard let key else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an index misses a strap") }
    return key
  }

  /// Deletes the addresses of straps that are no longer referred to.
  func deleteUnusedStraps() throws {
    try db.execute(
      sql: "DELETE FROM strap WHERE id NOT IN (SELECT strap FROM session UNION SELECT strap FROM known_strap)")
  }

  // MARK: - Reading

  /// Returns all sessions, the newest first.
  func all() throws -> [SessionRecord] {
    try records(where: "TRUE", arguments: [])
  }

  /// Returns the sessions that overlap a range of time, by the clock at their start, the newest first.
  func overlapping(_ range: ClosedRange<WallTime>) throws -> [SessionRecord] {
    try records(
      where: """
        session.start_us <= ? AND session.start_us - session.start_monotonic_us + coalesce((
          SELECT monotonic_us FROM ledger WHERE ledger.session = session.key ORDER BY sequence DESC LIMIT 1),
          session.start_monotonic_us) >= ?
        """, arguments: [range.upperBound.microseconds, range.lowerBound.microseconds])
  }

  /// Returns at most ten identifiers that begin with `prefix`, in order.
  func identifiers(prefix: String) throws -> [String] {
    // Identifiers consist of 0 … 9, a … f and dashes, all of which are ordered before g.
    try String.fetchAll(
      db, sql: "SELECT id FROM session WHERE id >= ? AND id < ? ORDER BY id LIMIT 10",
      arguments: [prefix, prefix + "g"],
    )
  }

  /// Returns the session with a complete identifier. Throws `sessionNotFound`.
  func record(_ id: String) throws -> SessionRecord {
    guard let record = try records(where: "session.id = ?", arguments: [id]).first else {
      throw RepositoryError.sessionNotFound(prefix: id)
    }
    return record
  }

  private func records(where condition: String, arguments: StatementArguments) throws -> [SessionRecord] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT session.key, session.id, session.origin, session.start_us, session.start_monotonic_us,
          session.is_complete, person.name, strap.address, strap.kind,
          (SELECT wall_us FROM ledger WHERE ledger.session = session.key ORDER BY sequence DESC LIMIT 1),
          session.label, session.made_from, session.device_id, session.note
        FROM session JOIN strap ON strap.id = session.strap LEFT JOIN person ON person.id = session.person
        WHERE \(condition)
        ORDER BY session.start_us DESC, session.key DESC
        """, arguments: arguments,
    )
    var records: [SessionRecord] = []
    while let row = try rows.next() { records.append(try record(RowReader(row: row))) }
    return records
  }

  private func record(_ row: RowReader) throws -> SessionRecord {
    let key: Int64 = try row.integer(0)
    guard
      let kind = BluetoothAddress.Kind(rawValue: try row.integer(8)),
      let address = BluetoothAddress(text: try row.text(7), kind: kind)
    else { throw row.unexpected(7) }
    let start: Int64 = try row.integer(3)
    return SessionRecord(
      description: SessionDescription(
        id: try row.text(1), strap: StrapIdentity(address: address, characteristics: try characteristics(of: key)),
        origin: try row.choice(2), person: row.optionalText(6), label: row.optionalText(10),
        madeFrom: row.optionalText(11), deviceID: row.optionalText(12),
        start: WallTime(microseconds: start),
        monotonicStart: MonotonicTime(microseconds: try row.integer(4)),
      ),
      note: row.optionalText(13), end: WallTime(microseconds: row.optionalInteger(9) ?? start),
      isComplete: try row.bool(5),
      entryCount: try SequencedTable.ledger.nextSequence(db, session: key),
      beatCount: try SequencedTable.beat.nextSequence(db, session: key),
      gapCount: try SequencedTable.gap.nextSequence(db, session: key),
    )
  }

  private func characteristics(of key: Int64) throws -> [UInt16: [UInt8]] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: "SELECT uuid, value FROM session_characteristic WHERE session = ?"), arguments: [key],
    )
    var characteristics: [UInt16: [UInt8]] = [:]
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      characteristics[try reader.integer(0)] = try reader.bytes(1)
    }
    return characteristics
  }
}

import FoundationEssentials
import GRDB
import TachogramCore

/// The tables of logs and their chunks, inside one database access.
struct SyncLogTable {
  let db: Database

  /// Returns the number of a station, or `nil` if it has no log.
  func number(of station: [UInt8]) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT station FROM sync_log WHERE id = ?", arguments: [Data(station)])
  }

  /// Returns the number of a station. Its log is stored if it has none.
  func storedNumber(of station: [UInt8]) throws -> Int64 {
    if let number = try number(of: station) { return number }
    try db.execute(sql: "INSERT INTO sync_log (id, state) VALUES (?, x'')", arguments: [Data(station)])
    return db.lastInsertedRowID
  }

  /// Returns whether a log is that of this station.
  func isOwn(_ station: [UInt8]) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM sync_space WHERE station = ?)", arguments: [Data(station)]) ?? false
  }

  /// Stores the state of a log, and new or changed chunks.
  func store(_ log: SyncRows.Log, _ chunks: [SyncRows.Chunk]) throws {
    let number = try storedNumber(of: log.station)
    try noteChange()
    let state = try RawStatement(db, sql: "UPDATE sync_log SET state = ?, carried = ? WHERE station = ?")
    try state.bind(log.state, at: 1)
    try state.bind(Int64(log.carried), at: 2)
    try state.bind(number, at: 3)
    try state.run()
    let statement = try RawStatement(
      db,
      sql: """
        INSERT OR REPLACE INTO sync_chunk (station, sequence, digest, previous, epoch, sealed_us, has_body)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    for chunk in chunks {
      try statement.bind(number, at: 1)
      try statement.bind(Int64(chunk.sequence), at: 2)
      try statement.bind(chunk.digest, at: 3)
      try statement.bind(chunk.previous, at: 4)
      try statement.bind(Int64(chunk.epoch), at: 5)
      if let sealed = chunk.sealed {
        try statement.bind(sealed.microseconds, at: 6)
      } else {
        try statement.bindNull(at: 6)
      }
      try statement.bind(chunk.hasBody ? 1 : 0 as Int64, at: 7)
      try statement.run()
    }
  }

  /// Notes that the state changed, so that other processes load it again.
  func noteChange() throws { try db.execute(sql: "UPDATE sync_space SET revision = revision + 1") }

  /// Stores edits. Of stored ones, only the place in the own log changes.
  func store(_ edits: [SyncRows.Edit]) throws {
    for edit in edits {
      try db.cachedStatement(
        sql: """
          INSERT INTO sync_edit (kind, target, field, wall_us, counter, station, value, sequence)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET sequence = coalesce(excluded.sequence, sequence)
          """
      ).execute(arguments: [
        Int64(edit.kind), edit.target, Int64(edit.field), edit.clock.wall.microseconds, Int64(edit.clock.counter),
        try storedNumber(of: edit.station), edit.value, edit.sequence.map { Int64($0) },
      ])
    }
  }

  /// Deletes edits, of which the values stay.
  func discard(_ edits: [SyncRows.Edit]) throws {
    for edit in edits {
      try db.execute(
        sql: """
          DELETE FROM sync_edit
          WHERE kind = ? AND target = ? AND field = ? AND wall_us = ? AND counter = ? AND station = ?
          """,
        arguments: [
          Int64(edit.kind), edit.target, Int64(edit.field), edit.clock.wall.microseconds, Int64(edit.clock.counter),
          try storedNumber(of: edit.station),
        ])
    }
  }

  /// Deletes the own chunks that were not uploaded. What they contained is to be sealed again.
  func discardUnsent() throws {
    let unsent = "SELECT sequence FROM sync_sealed WHERE is_uploaded = 0"
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO sync_change (kind, target, time_us)
        SELECT kind, target, wall_us FROM sync_edit WHERE sequence IN (\(unsent))
        """)
    try db.execute(sql: "DELETE FROM sync_edit WHERE sequence IN (\(unsent))")
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO sync_change (kind, target, time_us)
        SELECT ?, session, 0 FROM sync_sealed WHERE is_uploaded = 0 AND session IS NOT NULL
        """, arguments: [Int64(SyncRows.Change.night)])
    try db.execute(
      sql: """
        UPDATE sync_session SET sealed_count = 0, is_over = 0 WHERE session IN (
          SELECT key FROM session WHERE id IN (SELECT session FROM sync_sealed WHERE is_uploaded = 0))
        """)
    try db.execute(sql: "DELETE FROM sync_sealed_stress WHERE sequence IN (\(unsent))")
    try db.execute(
      sql: """
        DELETE FROM sync_chunk WHERE sequence IN (\(unsent))
          AND station = (SELECT station FROM sync_log WHERE id = (SELECT station FROM sync_space))
        """)
    try db.execute(sql: "DELETE FROM sync_sealed WHERE is_uploaded = 0")
  }

  /// Stores the clock of edits.
  func store(_ clock: SyncRows.Clock) throws {
    try db.execute(
      sql: "UPDATE sync_space SET clock_us = ?, clock_counter = ?",
      arguments: [clock.wall.microseconds, Int64(clock.counter)])
  }
}

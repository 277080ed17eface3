import GRDB
import TachogramCore

/// Reads the rows of one session, inside one database access.
struct SessionReader {
  let db: Database
  let key: Int64

  // MARK: - In parts

  /// Returns at most `limit` entries in order, from sequence number `sequence`.
  func entries(from sequence: Int64, limit: Int) throws -> [LedgerEntry] {
    let sql = """
      SELECT sequence, link, kind, monotonic_us, wall_us, reason, value FROM ledger
      WHERE session = ? AND sequence >= ? ORDER BY sequence LIMIT ?
      """
    return try fetch(sql, [key, sequence, limit], entry)
  }

  /// Returns the entries that arrived after `start`, up to and including `end`, by the civil clock, in order.
  func entries(after start: WallTime, until end: WallTime) throws -> [LedgerEntry] {
    let sql = """
      SELECT sequence, link, kind, monotonic_us, wall_us, reason, value FROM ledger
      WHERE session = ? AND wall_us > ? AND wall_us <= ? ORDER BY sequence
      """
    return try fetch(sql, [key, start.microseconds, end.microseconds], entry)
  }

  private func entry(_ row: RowReader) throws -> LedgerEntry {
    LedgerEntry(
      sequence: try row.integer(0), link: try row.integer(1),
      monotonic: MonotonicTime(microseconds: try row.integer(3)), wall: WallTime(microseconds: try row.integer(4)),
      content: try content(row),
    )
  }

  /// Returns at most `limit` beats in order, from sequence number `sequence`.
  func beats(from sequence: Int64, limit: Int) throws -> [Beat] {
    let sql = """
      SELECT sequence, time_us, ticks, ledger_sequence, marks FROM beat
      WHERE session = ? AND sequence >= ? ORDER BY sequence LIMIT ?
      """
    return try fetch(sql, [key, sequence, limit]) { row in
      Beat(
        sequence: try row.integer(0), time: MonotonicTime(microseconds: try row.integer(1)),
        rr: RRInterval(ticks: try row.integer(2)), ledgerSequence: try row.integer(3),
        marks: BeatMarks(rawValue: try row.integer(4)),
      )
    }
  }

  /// Returns at most `limit` windows of one length that end in `ends`, in order. The first is found by the primary key.
  func windows(ofLength length: WindowLength, ends: ClosedRange<MonotonicTime>, limit: Int) throws -> [HRVWindow] {
    let first = ends.lowerBound.microseconds
    let last = ends.upperBound.microseconds
    return try fetch(Self.windowsOfLength, [key, length.seconds, first, last, limit], HRVWindowColumns.window)
  }

  /// Calls `body` with windows of one length that end in `ends`, in order. `body` returns the earliest end of the next window
  /// that it needs, or `nil` for the next one. Of the windows before it only the ends are read; if there are many, the next one
  /// is found by the primary key.
  func forEachWindow(
    ofLength length: WindowLength, ends: ClosedRange<MonotonicTime>, _ body: (HRVWindow) throws -> MonotonicTime?,
  ) throws {
    var next = ends.lowerBound
    search: while next <= ends.upperBound {
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: Self.windowsOfLength),
        arguments: [key, length.seconds, next.microseconds, ends.upperBound.microseconds, Self.noLimit])
      var passed = 0
      while let row = try rows.next() {
        let reader = RowReader(row: row)
        let end = MonotonicTime(microseconds: try reader.integer(HRVWindowColumns.end))
        if end >= next {
          passed = 0
          if let wanted = try body(try HRVWindowColumns.window(reader)) { next = max(next, wanted) }
        } else {
          passed += 1
          if passed > Self.mostPassed { continue search }
        }
      }
      return
    }
  }

  private static let noLimit = -1
  /// The number of rows that are skipped one by one before a search by the primary key.
  private static let mostPassed = 8

  private static let windowsOfLength = """
    SELECT \(HRVWindowColumns.names) FROM hrv_window
    WHERE session = ? AND length = ? AND end_us BETWEEN ? AND ? ORDER BY end_us LIMIT ?
    """

  // MARK: - Whole

  /// Returns the links, by number.
  func links() throws -> [StrapLink] {
    let sql = "SELECT number, boot_id, handle, handle_source FROM link WHERE session = ? ORDER BY number"
    return try fetch(sql, [key]) { row in
      StrapLink(
        number: try row.integer(0), bootID: row.optionalText(1), handle: try row.integer(2),
        handleSource: try row.choice(3),
      )
    }
  }

  /// Returns the gaps, in order.
  func gaps() throws -> [BeatGap] {
    let sql = "SELECT sequence, start_us, end_us, reason, ledger_sequence FROM gap WHERE session = ? ORDER BY sequence"
    return try fetch(sql, [key]) { row in
      BeatGap(
        sequence: try row.integer(0), start: MonotonicTime(microseconds: try row.integer(1)),
        end: MonotonicTime(microseconds: try row.integer(2)), reason: try row.choice(3),
        ledgerSequence: try row.integer(4),
      )
    }
  }

  /// Returns the artifacts, in the order of the beats.
  func artifacts() throws -> [BeatArtifact] {
    let sql = "SELECT beat, class, replacements, milliseconds FROM artifact WHERE session = ? ORDER BY beat"
    return try fetch(sql, [key]) { row in
      BeatArtifact(
        beat: try row.integer(0), beatClass: try row.choice(1), replacements: try row.integer(2),
        milliseconds: try row.real(3))
    }
  }

  /// Returns the windows by their end, the shorter first if several end together.
  func windows() throws -> [HRVWindow] {
    let sql = "SELECT \(HRVWindowColumns.names) FROM hrv_window WHERE session = ? ORDER BY end_us, length"
    return try fetch(sql, [key], HRVWindowColumns.window)
  }

  // MARK: - Rows

  private func content(_ row: RowReader) throws -> LedgerEntry.Content {
    switch LedgerKind(rawValue: try row.integer(2)) {
    case .notification: return .notification(try row.bytes(6))
    case .linkDown: return .linkDown(reason: try row.integer(5))
    case .pulseIntervals: return .pulseIntervals(try row.bytes(6))
    case nil: throw row.unexpected(2)
    }
  }

  private func fetch<Value>(
    _ sql: String, _ arguments: StatementArguments, _ read: (RowReader) throws -> Value,
  ) throws -> [Value] {
    let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
    var values: [Value] = []
    while let row = try rows.next() { values.append(try read(RowReader(row: row))) }
    return values
  }
}

import GRDB
import TachogramCore

/// The stored windows of one person, over all sessions.
package struct WindowRepository: Sendable {
  /// A session with its clocks.
  fileprivate struct Source: Sendable {
    let key: Int64
    let id: String
    let start: WallTime
    let monotonicStart: MonotonicTime

    func monotonic(_ time: WallTime) -> MonotonicTime {
      monotonicStart.advanced(byMicroseconds: time.microseconds(since: start))
    }

    func placed(_ window: HRVWindow) -> PlacedWindow {
      PlacedWindow(
        sessionID: id, sessionStart: start,
        end: start.advanced(byMicroseconds: window.end.microseconds(since: monotonicStart)), window: window)
    }
  }

  private let database: TachogramDatabase
  private let person: String?
  private let strap: BluetoothAddress?

  /// Creates a repository for the windows of `person`, with one strap or all; `nil` stands for no person.
  package init(database: TachogramDatabase, person: String?, strap: BluetoothAddress? = nil) {
    self.database = database
    self.person = person
    self.strap = strap
  }

  /// The sessions of the person, found once for several passes over their windows.
  package struct Sessions: Sendable {
    fileprivate let sources: [Source]
  }

  /// Returns the sessions that may have windows that end in `range`.
  package func sessions(in range: ClosedRange<WallTime>) throws(RepositoryError) -> Sessions {
    try database.read { db in Sessions(sources: try sources(db, range)) }
  }

  /// Calls `body` with the windows of one length (in seconds) that end in `range`: the sessions by their start, the windows of
  /// each by their end. A session is placed by the clock at its start. `body` returns the earliest end of the next window of
  /// the session that it needs, or `nil` for the next one; windows before it are skipped, mostly without reading them. `body`
  /// must not use the database. `sessions` are those with such windows. Throws `RepositoryError`, or the error of `body`.
  package func forEachWindow(
    ofLength length: WindowLength, in range: ClosedRange<WallTime>, of sessions: Sessions,
    _ body: (PlacedWindow) throws -> WallTime?,
  ) throws {
    for source in sessions.sources {
      let ends = source.monotonic(range.lowerBound)...source.monotonic(range.upperBound)
      try database.read { db in
        try SessionReader(db: db, key: source.key).forEachWindow(ofLength: length, ends: ends) { window in
          try body(source.placed(window)).map(source.monotonic)
        }
      }
    }
  }

  /// Calls `body` with the windows of all sessions, as above.
  package func forEachWindow(
    ofLength length: WindowLength, in range: ClosedRange<WallTime>, _ body: (PlacedWindow) throws -> Void,
  ) throws {
    try forEachWindow(ofLength: length, in: range, of: try sessions(in: range)) { window in
      try body(window)
      return nil
    }
  }

  /// Returns the sessions that have windows in or after a range, to avoid reading those of all years. Each minute a window of
  /// each length is stored if there are intervals, so the latest end is that of the longest length.
  private func sources(_ db: Database, _ range: ClosedRange<WallTime>) throws -> [Source] {
    guard case .key(let person) = try PersonTable(db: db).owner(named: person) else { return [] }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT key, id, start_us, start_monotonic_us FROM session
        WHERE person IS ? AND start_us <= ?
          AND (? IS NULL OR strap IN (SELECT strap.id FROM strap WHERE strap.address = ?)) AND (
          SELECT end_us FROM hrv_window WHERE hrv_window.session = session.key
          ORDER BY length DESC, end_us DESC LIMIT 1) >= ? - start_us + start_monotonic_us
        ORDER BY start_us, key
        """,
      arguments: [
        person, range.upperBound.microseconds, strap?.description, strap?.description,
        range.lowerBound.microseconds,
      ],
    )
    var sources: [Source] = []
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      sources.append(
        Source(
          key: try reader.integer(0), id: try reader.text(1), start: WallTime(microseconds: try reader.integer(2)),
          monotonicStart: MonotonicTime(microseconds: try reader.integer(3))))
    }
    return sources
  }
}

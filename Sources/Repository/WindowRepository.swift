import GRDB
import TachogramCore

/// Reads the stored windows of one person, over all sessions.
package struct WindowRepository: Sendable {
  /// A session with its clocks.
  private struct Source {
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

  /// The windows of `person`; `nil` for nobody in particular.
  package init(database: TachogramDatabase, person: String?) {
    self.database = database
    self.person = person
  }

  /// Hands the windows of one length (in seconds) that end in `range` to `body`: the sessions by their start, the
  /// windows of each by their end, up to `batchSize` at a time and each batch of one session. A session is placed by the
  /// clock at its start. `body` may use the database. Throws `RepositoryError`, or what `body` throws.
  package func forEachWindow(
    ofLength length: Int, in range: ClosedRange<WallTime>, batchSize: Int = 1_000,
    _ body: ([PlacedWindow]) throws -> Void,
  ) throws {
    let limit = max(1, batchSize)
    for source in try database.read({ db in try sources(db, length, range) }) {
      try scan(source, length, range, batches: limit...limit) { batch in
        try body(batch)
        return nil
      }
    }
  }

  /// The same, in batches that begin small and grow, for who needs few of the windows. `body` returns nothing to go on behind a
  /// batch, or the earliest end of the next window of the session; what ends before is not read.
  package func scanWindows(
    ofLength length: Int, in range: ClosedRange<WallTime>, _ body: ([PlacedWindow]) throws -> WallTime?,
  ) throws {
    for source in try database.read({ db in try sources(db, length, range) }) {
      try scan(source, length, range, batches: Self.growingBatches, body)
    }
  }

  private static let growingBatches = 4...1_000

  /// The windows of a session; batches begin with the smallest size, and double up to the largest.
  private func scan(
    _ source: Source, _ length: Int, _ range: ClosedRange<WallTime>, batches: ClosedRange<Int>,
    _ body: ([PlacedWindow]) throws -> WallTime?,
  ) throws {
    var (next, limit) = (source.monotonic(range.lowerBound), batches.lowerBound)
    let last = source.monotonic(range.upperBound)
    while next <= last {
      let windows = try database.read { db in
        try SessionReader(db: db, key: source.key).windows(ofLength: length, ends: next...last, limit: limit)
      }
      guard let final = windows.last else { break }
      let wanted = try body(windows.map(source.placed)).map(source.monotonic)
      let following = final.end.advanced(byMicroseconds: 1)
      if let wanted, wanted > following {
        (next, limit) = (wanted, batches.lowerBound)
      } else if windows.count == limit, final.end < last {
        (next, limit) = (following, min(2 * limit, batches.upperBound))
      } else {
        break
      }
    }
  }

  /// The sessions that have windows of a length in a range, or behind it: not those of all years.
  private func sources(_ db: Database, _ length: Int, _ range: ClosedRange<WallTime>) throws -> [Source] {
    guard case .key(let person) = try PersonTable(db: db).owner(named: person) else { return [] }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT key, id, start_us, start_monotonic_us FROM session
        WHERE person IS ? AND start_us <= ? AND EXISTS (
          SELECT 1 FROM hrv_window
          WHERE hrv_window.session = session.key AND length = ? AND end_us >= ? - start_us + start_monotonic_us)
        ORDER BY start_us, key
        """, arguments: [person, range.upperBound.microseconds, length, range.lowerBound.microseconds],
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

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
    for source in try database.read({ db in try sources(db, startingBy: range.upperBound) }) {
      var next = source.monotonic(range.lowerBound)
      let last = source.monotonic(range.upperBound)
      while next <= last {
        let windows = try database.read { db in
          try SessionReader(db: db, key: source.key).windows(ofLength: length, ends: next...last, limit: limit)
        }
        guard let final = windows.last else { break }
        try body(windows.map(source.placed))
        guard windows.count == limit, final.end < last else { break }
        next = final.end.advanced(byMicroseconds: 1)
      }
    }
  }

  private func sources(_ db: Database, startingBy end: WallTime) throws -> [Source] {
    guard case .key(let person) = try PersonTable(db: db).owner(named: person) else { return [] }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT key, id, start_us, start_monotonic_us FROM session
        WHERE person IS ? AND start_us <= ? ORDER BY start_us, key
        """, arguments: [person, end.microseconds],
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

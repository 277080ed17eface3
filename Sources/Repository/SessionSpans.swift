import GRDB
import TachogramCore

/// The time spans in which the sessions of one person have 5-minute windows, to find the sessions of a stretch of time. The
/// spans are cached until other data is stored.
struct SessionSpans: Sendable {
  struct Span: Sendable {
    let session: Int64
    let start: WallTime
    /// The end of the last window, by the clock at the start of the session.
    let end: WallTime
  }

  /// The numbers of changes by this connection and by others.
  private struct Version: Equatable {
    let changes: Int
    let others: Int64

    init(_ db: Database) throws {
      changes = db.totalChangesCount
      others = try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    }
  }

  private var person: Int64?
  private var version: Version?
  /// The spans by start; equal starts are ordered by key.
  private var spans: [Span] = []
  /// The latest end of the spans up to and including each.
  private var latestEnds: [WallTime] = []

  /// Reads the sessions of a person, 0 for no person, unless they are cached. In a writing transaction: all transactions that
  /// use one value must be of one connection.
  mutating func update(_ db: Database, person: Int64) throws {
    let version = try Version(db)
    if self.person == person, self.version == version { return }
    // A read that fails must not leave a partial result.
    self = SessionSpans()
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT key, start_us, start_monotonic_us,
            (SELECT max(end_us) FROM hrv_window WHERE hrv_window.session = session.key AND length = 300)
          FROM session WHERE person IS nullif(?, 0) ORDER BY start_us, key
          """), arguments: [person])
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      guard let end = reader.optionalInteger(3) else { continue }
      let start = WallTime(microseconds: try reader.integer(1))
      let monotonicStart = MonotonicTime(microseconds: try reader.integer(2))
      let span = Span(
        session: try reader.integer(0), start: start,
        end: start.advanced(byMicroseconds: MonotonicTime(microseconds: end).microseconds(since: monotonicStart)))
      latestEnds.append(max(span.end, latestEnds.last ?? span.end))
      spans.append(span)
    }
    (self.person, self.version) = (person, version)
  }

  /// Keeps the cache valid after changes since the update that concern neither windows nor sessions.
  mutating func keep(_ db: Database) throws {
    version = try Version(db)
  }

  /// Returns the sessions that may have windows in a range, by their start.
  func overlapping(_ range: Range<WallTime>) -> [Span] {
    let first = Self.count(latestEnds) { $0 < range.lowerBound }
    let end = Self.count(spans) { $0.start < range.upperBound }
    return first < end ? spans[first..<end].filter { $0.end >= range.lowerBound } : []
  }

  /// Returns the number of leading values that fulfil a condition, which no later value fulfils.
  private static func count<Value>(_ values: [Value], where isWanted: (Value) -> Bool) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if isWanted(values[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

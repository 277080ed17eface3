import GRDB
import TachogramCore

/// Lists sessions in pages, with their summaries, and the persons who wore the straps.
package struct HistoryRepository: Sendable {
  /// A position in the list, between two sessions.
  package struct Cursor: Hashable, Sendable {
    fileprivate let start: Int64
    fileprivate let key: Int64

    fileprivate init(start: Int64, key: Int64) {
      self.start = start
      self.key = key
    }

    /// Parses a position. Returns `nil` for any other text.
    package init?(text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let start = Int64(parts[0]), let key = Int64(parts[1]) else { return nil }
      self.init(start: start, key: key)
    }

    package var text: String { "\(start).\(key)" }
  }

  /// A page of the list.
  package struct Page: Sendable {
    package let sessions: [SessionSummary]
    /// The position of the next page, or `nil` on the last one.
    package let next: Cursor?
  }

  private let database: TachogramDatabase
  private let known: SessionMeans

  /// Creates a repository. `means` caches the means of sessions from one list to the next.
  package init(database: TachogramDatabase, means: SessionMeans = SessionMeans()) {
    self.database = database
    known = means
  }

  /// Returns the sessions of a person that began at or after `start`; `nil` stands for no person.
  package func stock(of person: String?, since start: WallTime) throws(RepositoryError) -> SessionStock {
    try database.read { db in
      guard case .key(let owner) = try PersonTable(db: db).owner(named: person),
        let row = try Row.fetchOne(
          db.cachedStatement(
            sql: "SELECT count(*), coalesce(max(key), 0) FROM session WHERE person IS ? AND start_us >= ?"),
          arguments: [owner, start.microseconds])
      else { return SessionStock(count: 0, newest: 0) }
      let reader = RowReader(row: row)
      return SessionStock(count: try reader.integer(0), newest: try reader.integer(1))
    }
  }

  /// Returns the persons whose sessions, straps or measurements are stored, by name.
  package func persons() throws(RepositoryError) -> [String] {
    try database.read { db in try PersonTable(db: db).names() }
  }

  /// Returns at most `limit` sessions that began in `range`, the newest first, of one person or of all. `place` is `next` of
  /// the previous page.
  package func sessions(
    of person: String?, in range: ClosedRange<WallTime>, limit: Int, after place: Cursor? = nil,
  ) throws(RepositoryError) -> Page {
    try database.read { db in
      var (condition, owner) = ("", StatementArguments())
      if let person {
        guard case .key(let key) = try PersonTable(db: db).owner(named: person) else {
          return Page(sessions: [], next: nil)
        }
        (condition, owner) = ("person = ? AND", [key])
      }
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT id, start_us, key FROM session
          WHERE \(condition) start_us BETWEEN ? AND ? AND (start_us, key) < (?, ?)
          ORDER BY start_us DESC, key DESC LIMIT ?
          """,
        arguments: owner + [
          range.lowerBound.microseconds, range.upperBound.microseconds, place?.start ?? .max, place?.key ?? .max,
          limit + 1,
        ])
      let found = rows.map(RowReader.init(row:))
      let summaries = try found.prefix(limit).map { try summary(db, try $0.text(0)) }
      guard found.count > limit, let last = found.prefix(limit).last else {
        return Page(sessions: summaries, next: nil)
      }
      let (start, key): (Int64, Int64) = (try last.integer(1), try last.integer(2))
      return Page(sessions: summaries, next: Cursor(start: start, key: key))
    }
  }

  /// Returns the session with a complete identifier. Throws `sessionNotFound`.
  package func session(_ id: String) throws(RepositoryError) -> SessionSummary {
    try database.read { db in try summary(db, id) }
  }

  /// Returns the windows of one length, by their end.
  package func windows(of id: String, length: WindowLength) throws(RepositoryError) -> [HRVWindow] {
    try database.read { db in
      let reader = SessionReader(db: db, key: try SessionTable(db: db).key(of: id))
      let all = MonotonicTime(microseconds: .min)...MonotonicTime(microseconds: .max)
      return try reader.windows(ofLength: length, ends: all, limit: .max)
    }
  }

  // MARK: - What a session amounts to

  private func summary(_ db: Database, _ id: String) throws -> SessionSummary {
    let table = SessionTable(db: db)
    let (record, key) = (try table.record(id), try table.key(of: id))
    return SessionSummary(record: record, means: try known.means(record) { try means(db, key) })
  }

  private func means(_ db: Database, _ key: Int64) throws -> SessionSummary.Means {
    var means = try means(db, key, length: .fiveMinutes) ?? means(db, key, length: .minute) ?? SessionSummary.Means()
    means.stress = try Double.fetchOne(
      db.cachedStatement(sql: "SELECT avg(level) FROM stress_measurement WHERE session = ? AND is_deleted = 0"),
      arguments: [key])
    return means
  }

  /// Returns the means of a session, or `nil` if no window has values.
  private func means(_ db: Database, _ key: Int64, length: WindowLength) throws -> SessionSummary.Means? {
    let sql = """
      SELECT avg(mean_heart_rate), avg(sdnn), avg(rmssd) FROM hrv_window WHERE session = ? AND length = ?
      """
    guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [key, length.seconds]) else { return nil }
    let reader = RowReader(row: row)
    guard let heartRate = reader.optionalReal(0) else { return nil }
    return SessionSummary.Means(
      meanHeartRate: heartRate, sdnn: reader.optionalReal(1), rmssd: reader.optionalReal(2))
  }
}

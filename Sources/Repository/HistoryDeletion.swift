import GRDB
import TachogramCore

/// Counts and deletes, inside one database access, data that is stored beside sessions: stress levels whose session was
/// deleted, hourly and daily trends, baselines, and the names of persons.
struct HistoryDeletion {
  let db: Database
  /// The key of the person, or null for all persons.
  private let owner: Int64?
  /// The range of time, or `nil` for all times.
  private let range: ClosedRange<WallTime>?

  /// Returns `nil` if the selection is one of a session, of a strap, or of a person who is not stored.
  init?(db: Database, selection: SessionSelection) throws {
    guard selection.session == nil, selection.strap == nil,
      case .key(let owner) = try PersonTable(db: db).owner(named: selection.person)
    else { return nil }
    self.db = db
    self.owner = owner
    range = selection.range
  }

  // MARK: - Stress levels

  private static let loose = "session IS NULL AND (? IS NULL OR person = ?) AND timestamp_us BETWEEN ? AND ?"
  private var looseArguments: StatementArguments {
    [owner, owner, range?.lowerBound.microseconds ?? .min, range?.upperBound.microseconds ?? .max]
  }

  func countStress() throws -> Int64 {
    try count("stress_measurement WHERE is_deleted = 0 AND \(Self.loose)", looseArguments)
  }

  /// Deletes at most `limit` stress levels, and the baselines, which are computed from them. Returns the number of deleted
  /// levels.
  @discardableResult
  func deleteStress(limit: Int = .max, with levels: inout StressRollup) throws -> Int {
    let count = try levels.delete(
      where: "key IN (SELECT key FROM stress_measurement WHERE \(Self.loose) LIMIT ?)",
      arguments: looseArguments + [limit])
    try db.execute(sql: "DELETE FROM baseline WHERE ? IS NULL OR person = ?", arguments: [owner, owner])
    return count
  }

  // MARK: - Readings

  private static let looseReadings = "session IS NULL AND (? IS NULL OR person = ?) AND start_us BETWEEN ? AND ?"

  func countReadings() throws -> Int64 { try count("reading WHERE \(Self.looseReadings)", looseArguments) }

  /// Deletes the readings whose session was deleted.
  func deleteReadings() throws {
    try db.execute(sql: "DELETE FROM reading WHERE \(Self.looseReadings)", arguments: looseArguments)
  }

  // MARK: - Trends

  /// Returns the number of hours without data once the sessions with these keys are deleted. The hours of all other sessions
  /// are kept.
  func countTrends(without sessions: [Int64]) throws -> Int64 {
    Int64(try hours(without: sessions).count)
  }

  /// Deletes at most `limit` hours that no longer have data, and recomputes days from the remaining hours. Returns the number
  /// of deleted hours.
  @discardableResult
  func deleteTrends(limit: Int = .max) throws -> Int {
    let rollups = RollupTable(db: db)
    let hours = try hours(without: []).prefix(limit)
    for (person, hour) in hours {
      try rollups.delete(hour: hour, person: person)
      try rollups.markPending(hour: hour, person: person)
    }
    return hours.count
  }

  private func hours(without sessions: [Int64]) throws -> [(person: Int64, hour: Int64)] {
    let spans = try spans(without: Set(sessions))
    return try RollupTable(db: db).hours(of: owner, in: range).filter { person, hour in
      let start = hour * RollupTable.hour
      return !(spans[person] ?? []).contains { $0.overlaps(start...(start + RollupTable.hour - 1)) }
    }
  }

  /// Returns the time spans of the other sessions, from the first to the last entry, in microseconds, by person.
  private func spans(without sessions: Set<Int64>) throws -> [Int64: [ClosedRange<Int64>]] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT key, coalesce(person, 0), start_us,
          (SELECT wall_us FROM ledger WHERE ledger.session = session.key ORDER BY sequence DESC LIMIT 1)
        FROM session WHERE \(owner == nil ? "TRUE" : "person = ?")
        """, arguments: owner.map { [$0] } ?? [])
    var spans: [Int64: [ClosedRange<Int64>]] = [:]
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      let (key, start): (Int64, Int64) = (try reader.integer(0), try reader.integer(2))
      if sessions.contains(key) { continue }
      spans[try reader.integer(1), default: []].append(start...max(start, reader.optionalInteger(3) ?? start))
    }
    return spans
  }

  // MARK: - People

  /// Returns the number of persons who have no sessions except those with these keys, or 0 if a range of time is deleted.
  func countPeople(without sessions: [Int64]) throws -> Int64 {
    guard range == nil else { return 0 }
    return try count("person WHERE \(Self.people(without: sessions))", [owner, owner])
  }

  /// Deletes the persons who have no sessions. Their straps stay paired, without a person.
  func forgetPeople() throws {
    guard range == nil else { return }
    let people = Self.people(without: [])
    try db.execute(
      sql: "UPDATE known_strap SET label = NULL WHERE person IN (SELECT id FROM person WHERE \(people))",
      arguments: [owner, owner])
    try db.execute(sql: "DELETE FROM person WHERE \(people)", arguments: [owner, owner])
  }

  private static func people(without sessions: [Int64]) -> String {
    """
    (? IS NULL OR id = ?) AND NOT EXISTS (
      SELECT 1 FROM session
      WHERE session.person = person.id AND key NOT IN (\(sessions.map(String.init).joined(separator: ", "))))
    """
  }

  private func count(_ rows: String, _ arguments: StatementArguments) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT count(*) FROM \(rows)", arguments: arguments) ?? 0
  }
}

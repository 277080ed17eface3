import GRDB
import TachogramCore

/// What hours and days amount to, and which of them have to be computed anew.
struct RollupTable {
  enum Unit: String {
    case hour, day
  }

  static let hour: Int64 = 3_600_000_000

  let db: Database

  /// Marks the hours of a session's windows, before these are deleted.
  func markPending(session key: Int64) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO rollup_pending
        SELECT DISTINCT coalesce(person, 0), (start_us + end_us - start_monotonic_us) / 3600000000
        FROM hrv_window JOIN session ON session.key = hrv_window.session
        WHERE session.key = ? AND length = 300
        """, arguments: [key])
  }

  /// Marks those of some hours since 1970 in which a session has windows.
  func markPending(hours: Set<Int64>, session: Int64) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO rollup_pending
        SELECT DISTINCT coalesce(person, 0), ? FROM hrv_window JOIN session ON session.key = hrv_window.session
        WHERE session.key = ? AND length = 300 AND (start_us + end_us - start_monotonic_us) / \(Self.hour) = ?
        """)
    for hour in hours { try statement.execute(arguments: [hour, session, hour]) }
  }

  /// Marks the hours of a session from its start to its end that amount to something, for the windows may be gone.
  func markPending(span: ClosedRange<WallTime>, ofPersonOf session: Int64) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO rollup_pending
        SELECT rollup.person, rollup.start_us / \(Self.hour)
        FROM rollup JOIN session ON session.key = ? AND rollup.person = coalesce(session.person, 0)
        WHERE unit = 'hour' AND rollup.start_us > ? - \(Self.hour) AND rollup.start_us <= ?
        """, arguments: [session, span.lowerBound.microseconds, span.upperBound.microseconds])
  }

  /// Marks an hour since 1970 of a person, 0 for nobody in particular.
  func markPending(hour: Int64, person: Int64) throws {
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO rollup_pending VALUES (?, ?)").execute(arguments: [person, hour])
  }

  /// People with hours that are pending, and these hours in order; 0 is nobody in particular.
  func pending() throws -> [(person: Int64, hours: [Int64])] {
    let rows = try Row.fetchCursor(db, sql: "SELECT person, hour FROM rollup_pending ORDER BY person, hour")
    var pending: [(person: Int64, hours: [Int64])] = []
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      let (person, hour): (Int64, Int64) = (try reader.integer(0), try reader.integer(1))
      if pending.last?.person == person {
        pending[pending.count - 1].hours.append(hour)
      } else {
        pending.append((person, [hour]))
      }
    }
    return pending
  }

  func clearPending(person: Int64, hours: some Sequence<Int64>) throws {
    for hour in hours {
      try db.execute(sql: "DELETE FROM rollup_pending WHERE person = ? AND hour = ?", arguments: [person, hour])
    }
  }

  // MARK: - Hours and days

  /// The hours since 1970 that amount to something and lie in a range whole; of everybody where there is no owner.
  func hours(of owner: Int64?, in range: ClosedRange<WallTime>?) throws -> [(person: Int64, hour: Int64)] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT person, start_us / \(Self.hour) FROM rollup
        WHERE unit = 'hour' AND (? IS NULL OR person = ?) AND (? IS NULL OR start_us BETWEEN ? AND ? - \(Self.hour - 1))
        """,
      arguments: [
        owner, owner, range?.lowerBound.microseconds, range?.lowerBound.microseconds, range?.upperBound.microseconds,
      ])
    var hours: [(person: Int64, hour: Int64)] = []
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      hours.append((try reader.integer(0), try reader.integer(1)))
    }
    return hours
  }

  func delete(hour: Int64, person: Int64) throws {
    try delete(.hour, at: WallTime(microseconds: hour * Self.hour), person: person)
  }

  /// Deletes the days of a person that overlap a day and do not begin where days begin: those of another time zone.
  func deleteVoidDays(over day: Range<WallTime>, person: Int64, starts: Set<WallTime>) throws {
    let around = day.lowerBound.advanced(byMicroseconds: -24 * Self.hour)..<day.upperBound
    for point in try points(.day, person: person, in: around) where !starts.contains(point.start) {
      try deleteDay(point.start, person: person)
    }
  }

  /// Stores a point in the place of the one before; without minutes there is none.
  func store(_ point: TrendPoint, _ unit: Unit, person: Int64) throws {
    try delete(unit, at: point.start, person: person)
    guard point.minutes > 0 else { return }
    try db.execute(
      sql: "INSERT INTO rollup VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        person, unit.rawValue, point.start.microseconds, point.minutes, point.meanHeartRate, point.lowestHeartRate,
        point.sdnn, point.rmssd, point.stress, point.highestStress,
      ])
  }

  /// The points that begin in a range, in order.
  func points(_ unit: Unit, person: Int64, in range: Range<WallTime>) throws -> [TrendPoint] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT start_us, minutes, mean_heart_rate, lowest_heart_rate, sdnn, rmssd, stress, highest_stress FROM rollup
        WHERE person = ? AND unit = ? AND start_us >= ? AND start_us < ? ORDER BY start_us
        """,
      arguments: [person, unit.rawValue, range.lowerBound.microseconds, range.upperBound.microseconds])
    var points: [TrendPoint] = []
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      var point = TrendPoint(start: WallTime(microseconds: try reader.integer(0)), minutes: try reader.real(1))
      point.meanHeartRate = reader.optionalReal(2)
      point.lowestHeartRate = reader.optionalReal(3)
      point.sdnn = reader.optionalReal(4)
      point.rmssd = reader.optionalReal(5)
      point.stress = reader.optionalReal(6)
      point.highestStress = reader.optionalReal(7)
      points.append(point)
    }
    return points
  }

  /// The points of everybody that begin in a range.
  func points(_ unit: Unit, in range: Range<WallTime>) throws -> [(person: Int64, point: TrendPoint)] {
    let people = try Int64.fetchAll(
      db, sql: "SELECT DISTINCT person FROM rollup WHERE unit = ?", arguments: [unit.rawValue])
    return try people.flatMap { person in
      try points(unit, person: person, in: range).map { (person, $0) }
    }
  }

  func deleteDay(_ start: WallTime, person: Int64) throws {
    try delete(.day, at: start, person: person)
  }

  private func delete(_ unit: Unit, at start: WallTime, person: Int64) throws {
    try db.cachedStatement(sql: "DELETE FROM rollup WHERE person = ? AND unit = ? AND start_us = ?")
      .execute(arguments: [person, unit.rawValue, start.microseconds])
  }

  /// Deletes what lies before an instant.
  func delete(before time: WallTime) throws {
    try db.execute(sql: "DELETE FROM rollup WHERE start_us < ?", arguments: [time.microseconds])
  }
}

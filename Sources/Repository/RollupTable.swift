import GRDB
import TachogramCore

/// The hourly and daily trends, and the hours that have to be recomputed.
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
        SELECT coalesce(person, 0), (start_us + end_us - start_monotonic_us) / 3600000000
        FROM hrv_window JOIN session ON session.key = hrv_window.session
        WHERE session.key = ? AND length = 300
        """, arguments: [key])
  }

  /// Marks those of the given hours since 1970 in which a session has windows. Each hour is looked up by the primary key, so
  /// the cost does not depend on the number of stored windows.
  func markPending(hours: Set<Int64>, session: Int64) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO rollup_pending
        SELECT coalesce(person, 0), ? FROM session
        WHERE key = ? AND EXISTS (
          SELECT 1 FROM hrv_window WHERE hrv_window.session = session.key AND length = 300
            AND end_us BETWEEN ? - start_us + start_monotonic_us AND ? - start_us + start_monotonic_us)
        """)
    for hour in hours.sorted() {
      let instants = Self.instants(ofHour: hour)
      try statement.execute(arguments: [hour, session, instants.lowerBound, instants.upperBound])
    }
  }

  /// Returns the instants, in microseconds since 1970, that belong to an hour by integer division, which rounds towards 1970.
  private static func instants(ofHour number: Int64) -> ClosedRange<Int64> {
    let (start, isEarly) = number.multipliedReportingOverflow(by: hour)
    if isEarly { return number < 0 ? .min ... .min : .max ... .max }
    let (last, isLate) = start.addingReportingOverflow(hour - 1)
    let (first, isFirst) = start.subtractingReportingOverflow(hour - 1)
    return (number > 0 ? start : isFirst ? .min : first)...(number < 0 ? start : isLate ? .max : last)
  }

  /// Marks the hours of a session that have trends, from its start to its end, because the windows may be deleted.
  func markPending(span: ClosedRange<WallTime>, ofPersonOf session: Int64) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO rollup_pending
        SELECT rollup.person, rollup.start_us / \(Self.hour)
        FROM rollup JOIN session ON session.key = ? AND rollup.person = coalesce(session.person, 0)
        WHERE unit = 'hour' AND rollup.start_us > ? - \(Self.hour) AND rollup.start_us <= ?
        """, arguments: [session, span.lowerBound.microseconds, span.upperBound.microseconds])
  }

  /// Marks an hour since 1970 of a person; 0 stands for no person.
  func markPending(hour: Int64, person: Int64) throws {
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO rollup_pending VALUES (?, ?)").execute(arguments: [person, hour])
  }

  /// Returns the first pending hours after a position, in the order of persons and hours; 0 stands for no person.
  func pending(after place: (person: Int64, hour: Int64), limit: Int) throws -> [(person: Int64, hour: Int64)] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT person, hour FROM rollup_pending WHERE (person, hour) > (?, ?) ORDER BY person, hour LIMIT ?
          """), arguments: [place.person, place.hour, limit])
    var pending: [(person: Int64, hour: Int64)] = []
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      pending.append((try reader.integer(0), try reader.integer(1)))
    }
    return pending
  }

  func clearPending(person: Int64, hours: some Sequence<Int64>) throws {
    let statement = try db.cachedStatement(sql: "DELETE FROM rollup_pending WHERE person = ? AND hour = ?")
    for hour in hours { try statement.execute(arguments: [person, hour]) }
  }

  // MARK: - Hours and days

  /// Returns the hours since 1970 that have trends and lie completely in a range; of all persons without an owner.
  func hours(of owner: Int64?, in range: ClosedRange<WallTime>?) throws -> [(person: Int64, hour: Int64)] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT start_us / \(Self.hour) FROM rollup
        WHERE person = ? AND unit = 'hour' AND start_us BETWEEN ? AND ? - \(Self.hour - 1) ORDER BY start_us
        """)
    var hours: [(person: Int64, hour: Int64)] = []
    for person in try owner.map({ [$0] }) ?? people() {
      let rows = try Row.fetchCursor(
        statement,
        arguments: [person, range?.lowerBound.microseconds ?? .min, range?.upperBound.microseconds ?? .max])
      while let row = try rows.next() { hours.append((person, try RowReader(row: row).integer(0))) }
    }
    return hours
  }

  func delete(hour: Int64, person: Int64) throws {
    try delete(.hour, at: WallTime(microseconds: hour * Self.hour), person: person)
  }

  /// Deletes the days of a person that overlap a day and do not start at one of `starts`, as days of another time zone do.
  func deleteVoidDays(over day: Range<WallTime>, person: Int64, starts: Set<WallTime>) throws {
    let around = day.lowerBound.advanced(byMicroseconds: -24 * Self.hour)..<day.upperBound
    for point in try points(.day, person: person, in: around) where !starts.contains(point.start) {
      try deleteDay(point.start, person: person)
    }
  }

  /// Stores a point in place of the previous one. A point without minutes is deleted.
  func store(_ point: TrendPoint, _ unit: Unit, person: Int64) throws {
    try delete(unit, at: point.start, person: person)
    guard point.minutes > 0 else { return }
    try db.cachedStatement(sql: "INSERT INTO rollup VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(arguments: [
      person, unit.rawValue, point.start.microseconds, point.minutes, point.meanHeartRate, point.lowestHeartRate,
      point.sdnn, point.rmssd, point.stress, point.highestStress,
    ])
  }

  /// Returns the points that begin in a range, in order.
  func points(_ unit: Unit, person: Int64, in range: Range<WallTime>) throws -> [TrendPoint] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT start_us, minutes, mean_heart_rate, lowest_heart_rate, sdnn, rmssd, stress, highest_stress FROM rollup
          WHERE person = ? AND unit = ? AND start_us >= ? AND start_us < ? ORDER BY start_us
          """),
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

  /// Returns the points of all persons that begin in a range.
  func points(_ unit: Unit, in range: Range<WallTime>) throws -> [(person: Int64, point: TrendPoint)] {
    try people().flatMap { person in
      try points(unit, person: person, in: range).map { (person, $0) }
    }
  }

  /// Returns the key for no person and those of all stored persons. The points of a deleted person are deleted with it.
  private func people() throws -> [Int64] {
    try Int64.fetchAll(db, sql: "SELECT 0 UNION ALL SELECT id FROM person")
  }

  func deleteDay(_ start: WallTime, person: Int64) throws {
    try delete(.day, at: start, person: person)
  }

  private func delete(_ unit: Unit, at start: WallTime, person: Int64) throws {
    try db.cachedStatement(sql: "DELETE FROM rollup WHERE person = ? AND unit = ? AND start_us = ?")
      .execute(arguments: [person, unit.rawValue, start.microseconds])
  }

  /// Deletes the points before an instant.
  func delete(before time: WallTime) throws {
    let statement = try db.cachedStatement(
      sql: "DELETE FROM rollup WHERE person = ? AND unit IN ('hour', 'day') AND start_us < ?")
    for person in try people() { try statement.execute(arguments: [person, time.microseconds]) }
  }
}

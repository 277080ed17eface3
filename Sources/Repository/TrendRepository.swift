import FoundationEssentials
import GRDB
import TachogramCore

/// What hours and days amount to, kept up with the windows that are stored.
package struct TrendRepository: Sendable {
  /// Of one 5-minute window, by its end.
  private struct Sample {
    let time: WallTime
    let heartRate: Double
    let sdnn: Double?
    let rmssd: Double?
  }

  private let database: TachogramDatabase
  private let timeZone: TimeZone

  /// Days are those of `timeZone`.
  package init(database: TachogramDatabase, timeZone: TimeZone) {
    self.database = database
    self.timeZone = timeZone
  }

  // MARK: - Reading

  /// The hours of a period of one day, the days of a longer one, as far as anything is known of them. `last` is its last
  /// day.
  package func points(
    of person: String?, _ period: TrendPeriod, last: CivilDay
  ) throws(RepositoryError) -> (range: Range<WallTime>, points: [TrendPoint]) {
    let first = last.advanced(by: 1 - period.days)
    let range = start(of: first)..<start(of: last.advanced(by: 1))
    let points: [TrendPoint] = try database.read { db in
      guard case .key(let key) = try PersonTable(db: db).owner(named: person) else { return [] }
      let table = RollupTable(db: db)
      if period == .day { return try table.points(.hour, person: key ?? 0, in: range) }
      // The days of a time zone that the station was in before are not ours.
      let starts = Set((0..<period.days).map { start(of: first.advanced(by: $0)) })
      return try table.points(.day, person: key ?? 0, in: range).filter { starts.contains($0.start) }
    }
    return (range, points)
  }

  // MARK: - Keeping up

  /// Computes what windows have come or gone of since the last time, a person and a day at a time.
  package func refresh() throws(RepositoryError) {
    for (person, hours) in try database.read({ db in try RollupTable(db: db).pending() }) {
      let days = Dictionary(grouping: hours) { day(of: Self.range(ofHour: $0).lowerBound) }
      for hours in days.values { try refresh(person, hours) }
    }
  }

  /// One transaction: what comes meanwhile is marked anew, behind it.
  private func refresh(_ person: Int64, _ hours: [Int64]) throws(RepositoryError) {
    // An hour may lie in two days where clocks are not a whole number of hours from UTC.
    let days = Set(
      hours.map(Self.range(ofHour:)).flatMap { hour in
        [day(of: hour.lowerBound), day(of: hour.upperBound.advanced(byMicroseconds: -1))]
      })
    try database.write { db in
      let table = RollupTable(db: db)
      for day in days {
        let range = start(of: day)..<start(of: day.advanced(by: 1))
        try table.store(try point(db, person, range), .day, person: person)
      }
      for hour in hours {
        try table.store(try point(db, person, Self.range(ofHour: hour)), .hour, person: person)
      }
      try table.clearPending(person: person, hours: hours)
    }
  }

  private static func range(ofHour number: Int64) -> Range<WallTime> {
    let start = WallTime(microseconds: number * RollupTable.hour)
    return start..<start.advanced(byMicroseconds: RollupTable.hour)
  }

  private func day(of time: WallTime) -> CivilDay {
    LocalTime(of: time.date, in: timeZone).day
  }

  private func start(of day: CivilDay) -> WallTime {
    WallTime(day.start(in: timeZone))
  }

  // MARK: - Computing

  private func point(_ db: Database, _ person: Int64, _ range: Range<WallTime>) throws -> TrendPoint {
    let samples = try samples(db, person, range)
    // Windows are recorded each minute.
    var point = TrendPoint(start: range.lowerBound, minutes: Double(samples.count))
    if samples.isEmpty { return point }
    point.meanHeartRate = samples.reduce(0) { $0 + $1.heartRate } / Double(samples.count)
    point.lowestHeartRate = samples.map(\.heartRate).min()
    point.sdnn = median(samples.compactMap(\.sdnn))
    point.rmssd = median(samples.compactMap(\.rmssd))
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT avg(level), max(level) FROM stress_measurement
        WHERE coalesce(person, 0) = ? AND is_deleted = 0 AND timestamp_us >= ? AND timestamp_us < ?
        """,
      arguments: [person, range.lowerBound.microseconds, range.upperBound.microseconds])
    if let row {
      let reader = RowReader(row: row)
      point.stress = reader.optionalReal(0)
      point.highestStress = reader.optionalReal(1)
    }
    return point
  }

  private func median(_ values: [Double]) -> Double? {
    Quantile.ofSorted(values.sorted(), at: 0.5)
  }

  private func samples(_ db: Database, _ person: Int64, _ range: Range<WallTime>) throws -> [Sample] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT start_us + end_us - start_monotonic_us, mean_heart_rate, sdnn, rmssd
        FROM session JOIN hrv_window ON hrv_window.session = session.key
        WHERE person IS nullif(?, 0) AND start_us < ? AND length = 300
          AND end_us >= ? - start_us + start_monotonic_us AND end_us < ? - start_us + start_monotonic_us
          AND mean_heart_rate IS NOT NULL
        """,
      arguments: [
        person, range.upperBound.microseconds, range.lowerBound.microseconds, range.upperBound.microseconds,
      ])
    var samples: [Sample] = []
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      samples.append(
        Sample(
          time: WallTime(microseconds: try reader.integer(0)), heartRate: try reader.real(1),
          sdnn: reader.optionalReal(2), rmssd: reader.optionalReal(3)))
    }
    return samples
  }
}

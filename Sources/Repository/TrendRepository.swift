import FoundationEssentials
import GRDB
import TachogramCore

/// What hours and days amount to, kept up with the windows that are stored.
package struct TrendRepository: Sendable {
  /// What is stored of a stretch of time.
  private struct Stored {
    /// Of one 5-minute window, by its end.
    struct Sample {
      let time: WallTime
      let heartRate: Double
      let sdnn: Double?
      let rmssd: Double?
    }

    var samples: [Sample] = []
    var stress: [(time: WallTime, level: Double)] = []
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

  /// All hours of a person, in order.
  package func hours(of person: String?) throws(RepositoryError) -> [TrendPoint] {
    try database.read { db in
      guard case .key(let key) = try PersonTable(db: db).owner(named: person) else { return [] }
      let ever = WallTime(microseconds: .min)..<WallTime(microseconds: .max)
      return try RollupTable(db: db).points(.hour, person: key ?? 0, in: ever)
    }
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
    let dayRanges = days.map { start(of: $0)..<start(of: $0.advanced(by: 1)) }
    let hourRanges = hours.map(Self.range(ofHour:))
    let all = dayRanges + hourRanges
    guard let first = all.map(\.lowerBound).min(), let last = all.map(\.upperBound).max() else { return }
    try database.write { db in
      let table = RollupTable(db: db)
      let stored = try stored(db, person, first..<last)
      for range in hourRanges { try table.store(point(stored, range), .hour, person: person) }
      let starts = Set(days.flatMap { day in [-1, 0, 1].map { start(of: day.advanced(by: $0)) } })
      for range in dayRanges {
        try table.deleteVoidDays(over: range, person: person, starts: starts)
        try table.store(
          day(range, of: try table.points(.hour, person: person, in: range), stored), .day, person: person)
      }
      try table.clearPending(person: person, hours: hours)
    }
  }

  /// Where days are stored of another time zone than this, as after it was set: takes the days of these people anew, a day
  /// at a time, and then deletes those of the other.
  package func adoptTimeZone() throws(RepositoryError) {
    let ever = WallTime(microseconds: .min)..<WallTime(microseconds: .max)
    let strange = try database.read { db in
      try RollupTable(db: db).points(.day, in: ever).filter { start(of: day(of: $0.point.start)) != $0.point.start }
    }
    for (person, points) in Dictionary(grouping: strange, by: \.person) {
      let hours = try database.read { db in try RollupTable(db: db).points(.hour, person: person, in: ever) }
      // An hour may lie in two days.
      let ends = hours.flatMap { [$0.start, $0.start.advanced(byMicroseconds: RollupTable.hour - 1)] }
      for day in Set(ends.map(day)).sorted() {
        let range = start(of: day)..<start(of: day.advanced(by: 1))
        try database.write { db in
          let table = RollupTable(db: db)
          let own = try table.points(.hour, person: person, in: range)
          try table.store(self.day(range, of: own, try stored(db, person, range)), .day, person: person)
        }
      }
      try database.write { db in
        for (_, point) in points { try RollupTable(db: db).deleteDay(point.start, person: person) }
      }
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

  private func point(_ stored: Stored, _ range: Range<WallTime>) -> TrendPoint {
    let samples = stored.samples.filter { range.contains($0.time) }
    // Windows are recorded each minute.
    var point = TrendPoint(start: range.lowerBound, minutes: Double(samples.count))
    if samples.isEmpty { return point }
    point.meanHeartRate = samples.reduce(0) { $0 + $1.heartRate } / Double(samples.count)
    point.lowestHeartRate = samples.map(\.heartRate).min()
    point.sdnn = median(samples.compactMap(\.sdnn))
    point.rmssd = median(samples.compactMap(\.rmssd))
    takeStress(stored, range, into: &point)
    return point
  }

  /// What a day amounts to: what its windows do, and where some of them are gone by a policy, what its hours do.
  private func day(_ range: Range<WallTime>, of hours: [TrendPoint], _ stored: Stored) -> TrendPoint {
    let isWhole = hours.allSatisfy { hour in
      let range = hour.start..<hour.start.advanced(byMicroseconds: RollupTable.hour)
      return stored.samples.contains { range.contains($0.time) }
    }
    if isWhole { return point(stored, range) }
    let minutes = hours.reduce(0) { $0 + $1.minutes }
    var point = TrendPoint(start: range.lowerBound, minutes: minutes)
    point.meanHeartRate = hours.reduce(0) { $0 + ($1.meanHeartRate ?? 0) * $1.minutes } / minutes
    point.lowestHeartRate = hours.compactMap(\.lowestHeartRate).min()
    point.sdnn = median(hours.compactMap(\.sdnn))
    point.rmssd = median(hours.compactMap(\.rmssd))
    takeStress(stored, range, into: &point)
    return point
  }

  private func takeStress(_ stored: Stored, _ range: Range<WallTime>, into point: inout TrendPoint) {
    let levels = stored.stress.filter { range.contains($0.time) }.map(\.level)
    point.highestStress = levels.max()
    point.stress = levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count)
  }

  private func median(_ values: [Double]) -> Double? {
    Quantile.ofSorted(values.sorted(), at: 0.5)
  }

  /// Each session is a search by the primary key of its windows, and so is each metric of the stress levels by its index.
  private func stored(_ db: Database, _ person: Int64, _ range: Range<WallTime>) throws -> Stored {
    let (first, end) = (range.lowerBound.microseconds, range.upperBound.microseconds)
    var stored = Stored()
    let windows = try Row.fetchCursor(
      db,
      sql: """
        SELECT start_us + end_us - start_monotonic_us, mean_heart_rate, sdnn, rmssd
        FROM session CROSS JOIN hrv_window ON hrv_window.session = session.key
        WHERE person IS nullif(?, 0) AND start_us < ? AND length = 300
          AND end_us >= ? - start_us + start_monotonic_us AND end_us < ? - start_us + start_monotonic_us
          AND mean_heart_rate IS NOT NULL
        """, arguments: [person, end, first, end])
    while let row = try windows.next() {
      let reader = RowReader(row: row)
      stored.samples.append(
        Stored.Sample(
          time: WallTime(microseconds: try reader.integer(0)), heartRate: try reader.real(1),
          sdnn: reader.optionalReal(2), rmssd: reader.optionalReal(3)))
    }
    let levels = try Row.fetchCursor(
      db,
      sql: """
        SELECT timestamp_us, level FROM stress_measurement
        WHERE person IS nullif(?, 0) AND kind IN ('sdnn', 'rmssd') AND is_deleted = 0
          AND timestamp_us >= ? AND timestamp_us < ?
        """, arguments: [person, first, end])
    while let row = try levels.next() {
      let reader = RowReader(row: row)
      stored.stress.append((WallTime(microseconds: try reader.integer(0)), try reader.real(1)))
    }
    return stored
  }
}

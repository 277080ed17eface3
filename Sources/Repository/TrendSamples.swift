import GRDB
import Statistics
import TachogramCore

/// The stored data of a person in a stretch of time, and the trends computed from it.
struct TrendSamples {
  /// The values of a 5-minute window, by its end.
  private struct Sample {
    let time: WallTime
    let heartRate: Double
    let sdnn: Double?
    let rmssd: Double?
  }

  private var samples: [Sample] = []
  private var stress: [(time: WallTime, level: Double)] = []

  /// Reads the data of a person, 0 for no person, whose `sessions` are up to date. The windows of each session are found by the
  /// primary key, and the stress levels of each metric by an index.
  init(_ db: Database, _ person: Int64, _ range: Range<WallTime>, _ sessions: SessionSpans) throws {
    let (first, end) = (range.lowerBound.microseconds, range.upperBound.microseconds)
    let statement = try db.cachedStatement(
      sql: """
        SELECT start_us + end_us - start_monotonic_us, mean_heart_rate, sdnn, rmssd
        FROM session CROSS JOIN hrv_window ON hrv_window.session = session.key
        WHERE session.key = ? AND length = 300
          AND end_us >= ? - start_us + start_monotonic_us AND end_us < ? - start_us + start_monotonic_us
          AND mean_heart_rate IS NOT NULL
        """)
    for span in sessions.overlapping(range) {
      let windows = try Row.fetchCursor(statement, arguments: [span.session, first, end])
      while let row = try windows.next() {
        let reader = RowReader(row: row)
        samples.append(
          Sample(
            time: WallTime(microseconds: try reader.integer(0)), heartRate: try reader.real(1),
            sdnn: reader.optionalReal(2), rmssd: reader.optionalReal(3)))
      }
    }
    let levels = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT timestamp_us, level FROM stress_measurement
          WHERE person IS nullif(?, 0) AND kind IN ('sdnn', 'rmssd') AND is_deleted = 0
            AND timestamp_us >= ? AND timestamp_us < ?
          """), arguments: [person, first, end])
    while let row = try levels.next() {
      let reader = RowReader(row: row)
      stress.append((WallTime(microseconds: try reader.integer(0)), try reader.real(1)))
    }
  }

  // MARK: - Computing

  /// Returns the trend of an hour.
  func point(_ range: Range<WallTime>) -> TrendPoint {
    let samples = samples.filter { range.contains($0.time) }
    // A window is recorded each minute.
    var point = TrendPoint(start: range.lowerBound, minutes: Double(samples.count))
    if samples.isEmpty { return point }
    point.meanHeartRate = samples.reduce(0) { $0 + $1.heartRate } / Double(samples.count)
    point.lowestHeartRate = samples.map(\.heartRate).min()
    point.sdnn = median(samples.compactMap(\.sdnn))
    point.rmssd = median(samples.compactMap(\.rmssd))
    addStress(range, to: &point)
    return point
  }

  /// Returns the trend of a day, computed from its windows, or from its hours if a retention policy deleted some of the
  /// windows.
  func day(_ range: Range<WallTime>, of hours: [TrendPoint]) -> TrendPoint {
    let isWhole = hours.allSatisfy { hour in
      let range = hour.start..<hour.start.advanced(byMicroseconds: RollupTable.hour)
      return samples.contains { range.contains($0.time) }
    }
    if isWhole { return point(range) }
    let minutes = hours.reduce(0) { $0 + $1.minutes }
    var point = TrendPoint(start: range.lowerBound, minutes: minutes)
    point.meanHeartRate = hours.reduce(0) { $0 + ($1.meanHeartRate ?? 0) * $1.minutes } / minutes
    point.lowestHeartRate = hours.compactMap(\.lowestHeartRate).min()
    point.sdnn = median(hours.compactMap(\.sdnn))
    point.rmssd = median(hours.compactMap(\.rmssd))
    addStress(range, to: &point)
    return point
  }

  private func addStress(_ range: Range<WallTime>, to point: inout TrendPoint) {
    let levels = stress.filter { range.contains($0.time) }.map(\.level)
    point.highestStress = levels.max()
    point.stress = levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count)
  }

  private func median(_ values: [Double]) -> Double? {
    Quantile.ofSorted(values.sorted(), at: 0.5)
  }
}

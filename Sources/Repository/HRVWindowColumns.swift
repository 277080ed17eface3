import TachogramCore

/// The columns of the metrics in `hrv_window`, in order, with their values. Values are read bit for bit as they were stored,
/// except that SQLite has no negative zero (it is read as 0) and no NaN (it is stored as null).
enum HRVWindowColumns {
  /// A metric with its column and the location of its value.
  struct Metric: Sendable {
    let column: String
    let value: any WritableKeyPath<HRVValues, Double?> & Sendable
  }

  static let metrics = [
    Metric(column: "mean_nn", value: \.meanNN),
    Metric(column: "mean_heart_rate", value: \.meanHeartRate),
    Metric(column: "sdnn", value: \.sdnn),
    Metric(column: "rmssd", value: \.rmssd),
    Metric(column: "ln_rmssd", value: \.lnRMSSD),
    Metric(column: "sdsd", value: \.sdsd),
    Metric(column: "pnn50", value: \.pnn50),
    Metric(column: "pnn20", value: \.pnn20),
    Metric(column: "sd1", value: \.sd1),
    Metric(column: "sd2", value: \.sd2),
  ]

  /// The columns for a statement, separated by commas.
  static let metricNames = metrics.map(\.column).joined(separator: ", ")

  /// All columns of a window, in the order in which `window(_:)` reads them.
  static let names = "length, end_us, coverage, artifact_share, count, pair_count, duration, \(metricNames)"

  /// The position of the end in `names`.
  static let end = 1

  /// Returns the window of a row that begins with these columns.
  static func window(_ row: RowReader) throws -> HRVWindow {
    var values = HRVValues()
    for (offset, metric) in metrics.enumerated() { values[keyPath: metric.value] = row.optionalReal(7 + offset) }
    return HRVWindow(
      length: WindowLength(seconds: try row.integer(0)), end: MonotonicTime(microseconds: try row.integer(end)),
      coverage: try row.real(2),
      artifactShare: try row.real(3),
      metrics: TimeDomainMetrics(
        count: try row.integer(4), pairCount: try row.integer(5), duration: try row.real(6), values: values,
      ),
    )
  }
}

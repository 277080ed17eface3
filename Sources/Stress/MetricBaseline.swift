import TachogramCore

/// The usual values of a person in one metric, in the unit of the metric.
package struct MetricBaseline: Hashable, Sendable {
  /// The median and the quartiles.
  package struct Quartiles: Hashable, Sendable {
    package var lower: Double
    package var median: Double
    package var upper: Double
  }

  package var metric: HRVMetric
  /// The number of windows behind the baseline, after the outlier filter.
  package var count: Int
  /// The number of windows that the filter removed.
  package var outliers: Int
  /// The quartiles; `nil` if there are fewer windows than a personal baseline needs.
  package var quartiles: Quartiles?
  /// The median by hour of the day, 0 … 23, for the hours with at least five windows.
  package var hourly: [Int: Double]
}

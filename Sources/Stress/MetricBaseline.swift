import TachogramCore

/// What is usual for a person in one metric, in the unit of the metric.
package struct MetricBaseline: Hashable, Sendable {
  /// The median and the quartiles.
  package struct Quartiles: Hashable, Sendable {
    package var lower: Double
    package var median: Double
    package var upper: Double
  }

  package var metric: HRVMetric
  /// Windows that it rests on, after the outlier filter.
  package var count: Int
  /// Windows that the filter left out.
  package var outliers: Int
  /// Absent where there are fewer windows than a personal baseline needs.
  package var quartiles: Quartiles?
  /// The median by hour of the day, 0 … 23, of the hours with five windows at least.
  package var hourly: [Int: Double]
}

import TachogramCore

/// How two sets of metrics differ.
enum MetricsComparison {
  /// The metrics that differ by more than 1e-9 of their value, or of 1 for values below 1 (a deviation of 0 has no
  /// relative accuracy), and those that only one of the two has.
  static func differences(_ left: TimeDomainMetrics, _ right: TimeDomainMetrics) -> [String] {
    var differences: [String] = []
    if left.count != right.count { differences.append("count \(left.count) \(right.count)") }
    if left.pairCount != right.pairCount { differences.append("pairs \(left.pairCount) \(right.pairCount)") }
    if !agree(left.duration, right.duration) { differences.append("duration \(left.duration) \(right.duration)") }
    for metric in HRVMetric.timeDomain {
      switch (left[metric], right[metric]) {
      case (nil, nil): break
      case (let first?, let second?) where agree(first, second): break
      case (let first, let second):
        differences.append("\(metric) \(first.debugDescription) \(second.debugDescription)")
      }
    }
    return differences
  }

  private static func agree(_ left: Double, _ right: Double) -> Bool {
    abs(left - right) <= 1e-9 * max(1, abs(right))
  }
}

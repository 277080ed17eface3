import Statistics
import TachogramCore

/// The median of the differences around an interval, in ms. Usually only a comparison with a bound is needed, which is decided
/// by counting, without sorting.
enum DifferenceMedian {
  /// Returns the median: the mean of the two middle values if their number is even, or 0 if there are none.
  static func of(_ differences: Span<Double>) -> Double {
    guard !differences.isEmpty else { return 0 }
    var values = differences.withUnsafeBufferPointer(Array.init)
    let middle = values.count / 2
    let upper = OrderStatistic.select(middle, of: &values)
    if !values.count.isMultiple(of: 2) { return upper }
    return (values[..<middle].reduce(-.infinity, max) + upper) / 2
  }

  /// Returns whether `function` is below 0 at the median. `function` must be non-decreasing: it is then below 0 at the median
  /// if it is so at more than half of the differences, and not if at less than half. Signs are counted to avoid mispredicted
  /// branches.
  @inline(__always)
  static func of(_ differences: Span<Double>, isBelowZeroIn function: (Double) -> Double) -> Bool {
    let count = differences.withUnsafeBufferPointer { differences in
      differences.reduce(0 as UInt64) { $0 &+ function($1).bitPattern >> 63 }
    }
    return 2 * count == differences.count ? function(of(differences)) < 0 : 2 * count > differences.count
  }
}

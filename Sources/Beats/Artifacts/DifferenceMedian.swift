import Statistics
import TachogramCore

/// The median of the differences around an interval, in ms. Nearly always it is only asked on which side of a bound it lies,
/// and that is decided by counting: nothing need be sorted then.
enum DifferenceMedian {
  /// The median: the mean of the two in the middle where their number is even; 0 when there are none.
  static func of(_ differences: Span<Double>) -> Double {
    guard !differences.isEmpty else { return 0 }
    var values = differences.withUnsafeBufferPointer(Array.init)
    let middle = values.count / 2
    let upper = OrderStatistic.select(middle, of: &values)
    if !values.count.isMultiple(of: 2) { return upper }
    return (values[..<middle].reduce(-.infinity, max) + upper) / 2
  }

  /// Whether `function` is below 0 at the median. It must not fall where its argument rises: then it is if it is below 0 at
  /// more than half of the differences, and is not if at less. Signs are counted, so that there is nothing to mispredict.
  @inline(__always)
  static func of(_ differences: Span<Double>, isBelowZeroIn function: (Double) -> Double) -> Bool {
    let count = differences.withUnsafeBufferPointer { differences in
      differences.reduce(0 as UInt64) { $0 &+ function($1).bitPattern >> 63 }
    }
    return 2 * count == differences.count ? function(of(differences)) < 0 : 2 * count > differences.count
  }
}

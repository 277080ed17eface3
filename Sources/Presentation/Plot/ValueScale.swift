/// A range of values with round tick values.
package struct ValueScale: Hashable {
  package let low: Double
  package let high: Double

  package init(low: Double, high: Double) {
    self.low = low
    self.high = max(high, low + 1e-9)
  }

  /// Creates the range without the lowest and highest thousandth of the values, at least `least` wide, so that small variation
  /// is not exaggerated. Returns `nil` if there are no values.
  package init?(_ values: [Double], atLeast least: Double, margin: Double = 0) {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let cut = sorted.count / 1000
    var (low, high) = (sorted[cut], sorted[sorted.count - 1 - cut])
    if high - low < least {
      let middle = (low + high) / 2
      (low, high) = (middle - least / 2, middle + least / 2)
    }
    let room = (high - low) * margin
    self.init(low: max(0, low - room), high: high + room)
  }

  /// Returns the relative position of a value, clamped to 0 … 1.
  package func share(_ value: Double) -> Double { min(1, max(0, (value - low) / (high - low))) }

  /// Returns round numbers in the range, in steps of 1, 2 or 5 times a power of ten that are at least a `most`-th of the range.
  package func ticks(most: Int) -> [Double] {
    let rough = (high - low) / Double(max(1, most))
    guard rough > 0, rough.isFinite else { return [] }
    var step = 1.0
    while step > rough { step /= 10 }
    while step * 10 <= rough { step *= 10 }
    let steps = [1, 2, 5, 10].map { $0 * step }
    let chosen = steps.first { $0 >= rough } ?? step * 10
    let first = Int((low / chosen).rounded(.up))
    let last = Int((high / chosen).rounded(.down))
    return first > last ? [] : (first...last).map { Double($0) * chosen }
  }
}

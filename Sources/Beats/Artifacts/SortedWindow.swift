import Statistics
import TachogramCore

/// A sliding window over a series, with constant access to the median and the quartiles. A change costs a search and a move
/// among at most `capacity` numbers, and does not allocate.
struct SortedWindow: Sendable {
  private var sorted: [Double] = []

  /// Creates a window of up to `capacity` values.
  init(capacity: Int) {
    sorted.reserveCapacity(capacity)
  }

  /// The median: the mean of the two middle values if their number is even, or `nil` if there are none.
  var median: Double? {
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// Half the distance between the quartiles, which are interpolated linearly between the values next to them (type 7 of
  /// Hyndman & Fan 1996, American Statistician 50:361–365); `nil` when there are none.
  var quartileDeviation: Double? {
    guard let lower = Quantile.ofSorted(sorted, at: 0.25), let upper = Quantile.ofSorted(sorted, at: 0.75) else {
      return nil
    }
    return (upper - lower) / 2
  }

  /// Returns `measure` of the window around each of `values`, from up to `reach` values before it to up to `reach` after it.
  /// The window is shorter at the ends of the series.
  static func measures(
    around values: [Double], reach: Int, _ measure: (SortedWindow) -> Double?
  ) -> [Double] {
    var window = SortedWindow(capacity: 2 * reach + 2)
    for value in values.prefix(reach) { window.insert(value) }
    return values.indices.map { place in
      if place + reach < values.count { window.insert(values[place + reach]) }
      if place > reach { window.remove(values[place - reach - 1]) }
      return measure(window) ?? 0
    }
  }

  /// Adds a value, which is not NaN.
  mutating func insert(_ value: Double) {
    sorted.insert(value, at: position(of: value))
  }

  /// Removes a value that was added.
  mutating func remove(_ value: Double) {
    let place = position(of: value)
    if place < sorted.count, sorted[place] == value { sorted.remove(at: place) }
  }

  /// Returns the first index whose value is not below `value`.
  private func position(of value: Double) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

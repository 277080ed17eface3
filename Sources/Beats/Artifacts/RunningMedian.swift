/// The median of a window that slides over a series: values come and go, and the middle is always known. A change costs a
/// search and a move among at most `capacity` numbers, and allocates nothing.
struct RunningMedian: Sendable {
  private var sorted: [Double] = []

  /// For windows of up to `capacity` values.
  init(capacity: Int) {
    sorted.reserveCapacity(capacity)
  }

  /// The median: the mean of the two in the middle where their number is even; `nil` when there are none.
  var median: Double? {
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// Adds a value, which is not NaN.
  mutating func insert(_ value: Double) {
    sorted.insert(value, at: position(of: value))
  }

  /// Takes out a value that was added.
  mutating func remove(_ value: Double) {
    let place = position(of: value)
    if place < sorted.count, sorted[place] == value { sorted.remove(at: place) }
  }

  /// Takes one value out and adds another.
  mutating func replace(_ old: Double, with new: Double) {
    let (from, to) = (position(of: old), position(of: new))
    guard from < sorted.count, sorted[from] == old else { return insert(new) }
    sorted.withUnsafeMutableBufferPointer { values in
      guard let first = values.baseAddress else { return }
      if to > from {
        (first + from).update(from: first + from + 1, count: to - 1 - from)
        values[to - 1] = new
      } else {
        (first + to + 1).update(from: first + to, count: from - to)
        values[to] = new
      }
    }
  }

  /// Forgets all.
  mutating func removeAll() {
    sorted.removeAll(keepingCapacity: true)
  }

  /// The first place whose value is not below `value`.
  private func position(of value: Double) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

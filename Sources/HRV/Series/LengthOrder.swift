/// Intervals in ascending order of length, with their original positions. Bins of equal width establish most of the order,
/// because heart intervals fill their range evenly enough; otherwise the intervals are sorted.
struct LengthOrder {
  /// The lengths in ascending order, in ms.
  private(set) var lengths: [Double]
  private(set) var places: [Int]

  /// Orders two or more intervals, not all equal.
  init(_ intervals: [Double]) {
    let range = (least: intervals.min() ?? 0, greatest: intervals.max() ?? 0)
    let bins = 4 * intervals.count
    let width = range.greatest - range.least
    /// The position of the next interval of each bin.
    var next = [Int](repeating: 0, count: bins + 1)
    let binOf = intervals.map { Int(($0 - range.least) / width * Double(bins - 1)) }
    for bin in binOf { next[bin + 1] += 1 }
    for bin in 1...bins { next[bin] += next[bin - 1] }
    lengths = intervals
    places = Array(repeating: 0, count: intervals.count)
    for (place, bin) in binOf.enumerated() {
      lengths[next[bin]] = intervals[place]
      places[next[bin]] = place
      next[bin] += 1
    }
    if !settle() { sort(intervals) }
  }

  /// Moves intervals to their final positions by insertion sort. Returns `false` if that takes too many moves.
  private mutating func settle() -> Bool {
    var moves = 8 * lengths.count
    for place in 1..<lengths.count {
      var hole = place
      while hole > 0, lengths[hole - 1] > lengths[hole] {
        lengths.swapAt(hole - 1, hole)
        places.swapAt(hole - 1, hole)
        hole -= 1
        moves -= 1
      }
      if moves < 0 { return false }
    }
    return true
  }

  private mutating func sort(_ intervals: [Double]) {
    places = intervals.indices.sorted { intervals[$0] < intervals[$1] }
    lengths = places.map { intervals[$0] }
  }
}

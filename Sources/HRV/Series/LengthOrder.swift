/// Intervals in ascending order of length, and where each of them stood. Bins of equal width put nearly all of them in their
/// order at once, since intervals of a heart fill their range evenly enough; where they do not, they are sorted.
struct LengthOrder {
  /// In ms.
  private(set) var lengths: [Double]
  private(set) var places: [Int]

  /// `intervals` are two or more, not all alike.
  init(_ intervals: [Double]) {
    let range = (least: intervals.min() ?? 0, greatest: intervals.max() ?? 0)
    let bins = 4 * intervals.count
    let width = range.greatest - range.least
    /// Where the next interval of a bin goes.
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

  /// Moves what is not in its place within its bin. `false` when that takes too long.
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

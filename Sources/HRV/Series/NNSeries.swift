/// Consecutive intervals in ms, with the positions of the gaps between them.
package struct NNSeries: Hashable, Sendable {
  package private(set) var intervals: [Double] = []
  /// The positions at which a run without a gap begins; the first is 0.
  package private(set) var runStarts: [Int] = []

  package init() {}

  package var count: Int { intervals.count }

  /// Appends an interval. With `followsGap`, it begins a new run.
  @inline(__always)
  package mutating func append(_ milliseconds: Double, followsGap: Bool) {
    if followsGap || intervals.isEmpty { runStarts.append(intervals.count) }
    intervals.append(milliseconds)
  }

  /// Removes all intervals and keeps the storage.
  package mutating func removeAll() {
    intervals.removeAll(keepingCapacity: true)
    runStarts.removeAll(keepingCapacity: true)
  }

  /// The runs as ranges of positions.
  package var runs: [Range<Int>] {
    runStarts.indices.map { place in
      runStarts[place]..<(place + 1 < runStarts.count ? runStarts[place + 1] : intervals.count)
    }
  }

  /// The run with the greatest sum of intervals; empty for an empty series.
  package var longestRun: ArraySlice<Double> {
    var best: (duration: Double, run: ArraySlice<Double>) = (0, [])
    for range in runs {
      let run = intervals[range]
      let duration: Double = run.reduce(0, +)
      if duration > best.duration { best = (duration, run) }
    }
    return best.run
  }
}

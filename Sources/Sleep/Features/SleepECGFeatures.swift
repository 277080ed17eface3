/// The features of RR intervals that the networks of SleepECG use, for each epoch of a night.
///
/// They are those of SleepECG 0.6.0 (Brunner and Hofer, https://github.com/cbrnr/sleepecg), computed from exact times.
package struct SleepECGFeatures: Hashable, Sendable {
  package let window: SleepECGWindow
  package let epochCount: Int
  /// A row of `SleepECGFeature.ofIntervals` for each epoch. NaN or infinite where there are too few intervals, or where what
  /// divides is zero.
  package let values: [Double]

  /// Computes the features of the first `epochCount` epochs, at least 0.
  package init(_ beats: NightBeats, epochCount: Int, window: SleepECGWindow) {
    self.window = window
    self.epochCount = epochCount
    guard epochCount > 0 else {
      values = []
      return
    }
    let intervals = beats.intervals
    let ranges = Self.ranges(of: intervals, epochCount: epochCount, window: window)
    let pairLimit = max(0, (ranges.map(\.count).max() ?? 0) - 1)
    let grid = IntervalGrid(intervals, epochCount: epochCount, window: window)
    var (statistics, spectrum) = (IntervalStatistics(), WindowSpectrum(window))
    var values: [Double] = []
    values.reserveCapacity(epochCount * SleepECGFeature.ofIntervals.count)
    let length = window.length * IntervalGrid.valuesPerEpoch
    for (epoch, range) in ranges.enumerated() {
      let start = epoch * IntervalGrid.valuesPerEpoch
      values += statistics.values(of: intervals[range], pairLimit: pairLimit)
      values += spectrum.values(of: grid.values[start..<start + length])
    }
    self.values = values
  }

  /// Returns the row of an epoch.
  package func row(_ epoch: Int) -> ArraySlice<Double> {
    let count = SleepECGFeature.ofIntervals.count
    return values[epoch * count..<(epoch + 1) * count]
  }

  /// Returns the positions of the intervals that end in the window of each epoch.
  private static func ranges(of intervals: [NightInterval], epochCount: Int, window: SleepECGWindow) -> [Range<Int>] {
    var (lower, upper) = (0, 0)
    return (0..<epochCount).map { epoch in
      let start = Int64(epoch - window.lookback) * SleepAxis.ticksPerEpoch
      let end = Int64(epoch + window.lookforward) * SleepAxis.ticksPerEpoch
      while lower < intervals.count, intervals[lower].end < start { lower += 1 }
      upper = max(upper, lower)
      while upper < intervals.count, intervals[upper].end < end { upper += 1 }
      return lower..<upper
    }
  }
}

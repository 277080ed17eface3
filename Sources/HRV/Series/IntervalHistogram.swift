import TachogramCore

/// The distribution of intervals: in bins of 1/128 s for the triangular index (Task Force 1996), in bins of 50 ms for the
/// stress index (Baevsky & Chernikova 2017, Cardiometry 10:66–76). Its size is bounded by the longest interval.
struct IntervalHistogram: Sendable {
  private static let wideBin = 50.0

  private var narrow: [UInt32] = []
  private var wide: [UInt32] = []
  private var count = 0
  private var least = Double.infinity
  private var greatest = 0.0

  /// Adds intervals of 0 … 131 072 ms.
  mutating func add(_ intervals: Span<Double>) {
    count += intervals.count
    for place in 0..<intervals.count {
      least = min(least, intervals[place])
      greatest = max(greatest, intervals[place])
    }
    Self.add(intervals, to: &narrow, greatest: greatest) { Self.narrowPlace($0) }
    Self.add(intervals, to: &wide, greatest: greatest) { Self.widePlace($0) }
  }

  @inline(__always)
  private static func add(
    _ intervals: Span<Double>, to bins: inout [UInt32], greatest: Double, bin: (Double) -> Int
  ) {
    while bin(greatest) >= bins.count { bins.append(contentsOf: repeatElement(0, count: max(64, bins.count))) }
    var bins = bins.mutableSpan
    for place in 0..<intervals.count { bins[bin(intervals[place])] &+= 1 }
  }

  /// Returns the bin of an interval. 1/128 s is 125/16 ms, so that multiples of it are exact.
  @inline(__always)
  private static func narrowPlace(_ milliseconds: Double) -> Int { Int(milliseconds * 16 / 125) }

  @inline(__always)
  private static func widePlace(_ milliseconds: Double) -> Int { Int(milliseconds / wideBin) }

  /// The number of all intervals divided by the number in the fullest bin.
  var triangularIndex: Measured {
    guard let fullest = narrow.max(), fullest > 0 else { return .missing(.noIntervals) }
    return .value(Double(count) / Double(fullest))
  }

  /// The stress index AMo % / (2 · Mo · MxDMn), with Mo and MxDMn in s.
  var stressIndex: Measured {
    guard let fullest = wide.max(), fullest > 0, let mode = wide.firstIndex(of: fullest) else {
      return .missing(.noIntervals)
    }
    guard greatest > least else { return .missing(.noSpread) }
    let centre = (Double(mode) + 0.5) * Self.wideBin / 1000
    let share = 100 * Double(fullest) / Double(count)
    return .value(share / (2 * centre * (greatest - least) / 1000))
  }
}

import TachogramCore

/// Sample entropy (Richman & Moorman 2000, Am J Physiol Heart Circ Physiol 278:H2039–2049) with m = 2 and a tolerance of
/// 0.2 sample standard deviations: −ln(A/B), B pairs of templates that agree in two intervals and A of those that agree
/// in three, Chebyshev distance at most the tolerance. Templates of both lengths are those that have a third interval, none
/// is compared with itself, and none reaches over a gap.
enum SampleEntropy {
  static let minimumBeats = 200
  private static let tolerance = 0.2

  /// Of the intervals of a series.
  static func measured(_ series: NNSeries) -> Measured {
    guard series.count >= minimumBeats else {
      return .missing(.tooFew(count: series.count, minimum: minimumBeats))
    }
    let count = Double(series.count)
    let mean = series.intervals.reduce(0, +) / count
    let squares = series.intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    guard squares > 0 else { return .missing(.noSpread) }
    let deviation = (squares / (count - 1)).squareRoot()
    let (two, three) = matches(series, within: tolerance * deviation)
    guard two > 0, three > 0 else { return .missing(.noMatches) }
    return .value(-Maths.ln(Double(three) / Double(two)))
  }

  /// Pairs of templates that agree in two and in three intervals. Along a diagonal of the table of all pairs of intervals,
  /// templates agree where intervals agree one after the other.
  private static func matches(_ series: NNSeries, within bound: Double) -> (two: Int, three: Int) {
    let x = series.intervals.span
    let isThird = thirds(series)
    let whole = isThird.span
    var (two, three) = (0, 0)
    for lag in 1..<max(1, x.count) {
      // Agreements in a row, a bit each, the newest the lowest.
      var agreed: UInt8 = 0
      for place in lag..<x.count {
        let isNear: UInt8 = abs(x[unchecked: place] - x[unchecked: place - lag]) <= bound ? 1 : 0
        agreed = agreed << 1 | isNear
        let both = agreed >> 1 & agreed >> 2 & whole[unchecked: place] & whole[unchecked: place - lag]
        two += Int(both)
        three += Int(both & isNear)
      }
    }
    return (two, three)
  }

  /// For each interval, 1 where two others stand before it without a gap.
  private static func thirds(_ series: NNSeries) -> [UInt8] {
    var isThird = [UInt8](repeating: 0, count: series.count)
    for run in series.runs {
      for place in run.dropFirst(2) { isThird[place] = 1 }
    }
    return isThird
  }
}

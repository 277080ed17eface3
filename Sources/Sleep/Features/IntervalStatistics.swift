/// The features of a window in the time domain. Sums are exact sums of ticks, so that a difference of zero is zero.
struct IntervalStatistics {
  private static let second = Double(SleepAxis.ticksPerSecond)
  /// The smallest differences of neighbours that count: above 50 and 20 ms, which are no whole numbers of ticks.
  private static let (above50, above20): (Int64, Int64) = (52, 21)

  private var lengths: [Int64] = []
  private var deviations: [Int64] = []
  private var nn50 = 0
  private var nn20 = 0
  private var pairs = ExactMoments()

  /// The values in the order of `SleepECGFeature`, up to CVI; NaN or infinite where there are too few intervals or all are
  /// equal. `pairLimit` is the number of intervals in the fullest window of the night, less one.
  mutating func values(of window: ArraySlice<NightInterval>, pairLimit: Int) -> [Double] {
    let moments = collect(window)
    let (sdnn, sdsd) = (moments.deviation, pairs.deviation)
    let meanNN = moments.mean
    lengths.sort()
    let shortest = lengths.first.map { Double($0) / Self.second } ?? .nan
    let longest = lengths.last.map { Double($0) / Self.second } ?? .nan
    let median = doubledMedian(of: lengths)
    let sd1 = (sdsd * sdsd * 0.5).squareRoot()
    let sd2 = (2 * sdnn * sdnn - sd1 * sd1).squareRoot()
    return [
      meanNN, longest, shortest, longest - shortest, sdnn, pairs.rootMeanSquare, sdsd, Double(nn50), Double(nn20),
      Double(nn50) / Double(pairLimit), Double(nn20) / Double(pairLimit),
      median.map { Double($0) / 2 / Self.second } ?? .nan,
      medianDeviation(from: median), quantile(3) - quantile(1), sdnn / meanNN, sdsd / pairs.mean, 60 / meanNN,
      60 / shortest, 60 / longest, heartRateDeviation, sd1, sd2, Double.pi * sd1 * sd2, sd1 / sd2, sd2 / sd1,
      SleepMaths.log10(sd1 * sd2 * 16),
    ]
  }

  /// Collects the valid lengths and the differences of valid neighbours. Returns the moments of the lengths.
  private mutating func collect(_ window: ArraySlice<NightInterval>) -> ExactMoments {
    lengths.removeAll(keepingCapacity: true)
    (nn50, nn20, pairs) = (0, 0, ExactMoments())
    var (moments, last) = (ExactMoments(), Int64?.none)
    for interval in window {
      guard interval.isValid else {
        last = nil
        continue
      }
      lengths.append(interval.ticks)
      moments.add(interval.ticks)
      if let last {
        let difference = interval.ticks - last
        pairs.add(difference)
        if abs(difference) >= Self.above50 { nn50 += 1 }
        if abs(difference) >= Self.above20 { nn20 += 1 }
      }
      last = interval.ticks
    }
    return moments
  }

  /// Returns twice the median of sorted values, a whole number; `nil` if there are none.
  private func doubledMedian(of sorted: [Int64]) -> Int64? {
    guard !sorted.isEmpty else { return nil }
    return sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]
  }

  /// The median distance from the median, in s.
  private mutating func medianDeviation(from doubled: Int64?) -> Double {
    guard let doubled else { return .nan }
    deviations.removeAll(keepingCapacity: true)
    for length in lengths { deviations.append(abs(2 * length - doubled)) }
    deviations.sort()
    return doubledMedian(of: deviations).map { Double($0) / 4 / Self.second } ?? .nan
  }

  /// A quarter of the distribution by linear interpolation (type 7 of Hyndman & Fan 1996), in s; the lengths are sorted.
  private func quantile(_ quarter: Int) -> Double {
    guard let last = lengths.indices.last else { return .nan }
    let (lower, rest) = (quarter * last).quotientAndRemainder(dividingBy: 4)
    let quadrupled = Int64(4 - rest) * lengths[lower] + Int64(rest) * lengths[min(lower + 1, last)]
    return Double(quadrupled) / 4 / Self.second
  }

  /// The sample standard deviation of the heart rates, in beats per minute.
  private var heartRateDeviation: Double {
    guard lengths.count > 1 else { return .nan }
    let count = Double(lengths.count)
    // Relative to the first, so that equal heart rates have no deviation.
    let first = Self.heartRate(lengths[0])
    var sum = 0.0
    for length in lengths { sum += Self.heartRate(length) - first }
    let mean = sum / count
    var squares = 0.0
    for length in lengths {
      let deviation = Self.heartRate(length) - first - mean
      squares += deviation * deviation
    }
    return (squares / (count - 1)).squareRoot()
  }

  private static func heartRate(_ ticks: Int64) -> Double { 60 * second / Double(ticks) }
}

import TachogramCore

/// The sums from which the time-domain metrics follow. Adding an interval costs a few integer operations and is
/// exact, so that the sums of any stretch of a series are the difference between its two ends.
///
/// It does not store intervals: the caller passes the neighbour with which an interval forms a pair.
package struct TimeDomainAccumulator: Hashable, Sendable {
  /// The number of NN intervals.
  package private(set) var count = 0
  /// The number of pairs of neighbours.
  package private(set) var pairCount = 0
  /// The number of pairs that differ by more than 50 ms, and by more than 20 ms.
  private var over50 = 0
  private var over20 = 0
  private var intervals = FixedPointMoments()
  /// The moments of xᵢ − xᵢ₋₁ and of xᵢ + xᵢ₋₁.
  private var differences = FixedPointMoments()
  private var pairSums = FixedPointMoments()

  package init() {}

  /// Sum of the NN intervals, in ms.
  package var duration: Double { intervals.total }

  // MARK: - Adding and subtracting

  /// Adds an interval, and its pair with the preceding interval. `previous` is `nil` if there is no preceding interval, or a
  /// gap between the two.
  @inline(__always)
  package mutating func add(_ nn: NNInterval, after previous: NNInterval?) {
    if let previous { addPair(previous, nn) }
    add(nn)
  }

  /// Adds an interval whose pair with the preceding interval was already added.
  @inline(__always)
  mutating func add(_ nn: NNInterval) {
    count += 1
    intervals.add(nn.fixedPoint)
  }

  /// Adds a pair of neighbours.
  @inline(__always)
  mutating func addPair(_ first: NNInterval, _ second: NNInterval) {
    pairCount += 1
    differences.add(second.fixedPoint - first.fixedPoint)
    pairSums.add(second.fixedPoint + first.fixedPoint)
    // Compared as Double, so that a difference at a threshold is treated as in ordinary arithmetic.
    let difference = abs(second.milliseconds - first.milliseconds)
    over50 += difference > 50 ? 1 : 0
    over20 += difference > 20 ? 1 : 0
  }

  /// Returns the sums of what was added since `earlier`, a previous state of these sums.
  @inline(__always)
  package func since(_ earlier: TimeDomainAccumulator) -> TimeDomainAccumulator {
    var difference = self
    difference.count -= earlier.count
    difference.pairCount -= earlier.pairCount
    difference.over50 -= earlier.over50
    difference.over20 -= earlier.over20
    difference.intervals = intervals.since(earlier.intervals)
    difference.differences = differences.since(earlier.differences)
    difference.pairSums = pairSums.since(earlier.pairSums)
    return difference
  }

  // MARK: - Metrics

  /// Returns the metrics of the added intervals (Task Force 1996, Eur Heart J 17:354–381; Brennan 2001, IEEE TBME
  /// 48:1342–1347). A metric whose minimum duration is not met, or that needs more intervals or pairs than there are, is
  /// absent.
  package func metrics() -> TimeDomainMetrics {
    let duration = duration
    // Minimums are above 0, so that a series that is long enough has at least one interval.
    func isLongEnough(for metric: HRVMetric) -> Bool { duration >= metric.minimumSeconds * 1000 }
    var values = HRVValues()
    if isLongEnough(for: .meanNN) {
      let mean = duration / Double(count)
      values.meanNN = mean
      if isLongEnough(for: .meanHeartRate), mean > 0 { values.meanHeartRate = 60_000 / mean }
    }
    if isLongEnough(for: .sdnn) {
      values.sdnn = intervals.standardDeviation(count: count)
    }
    if isLongEnough(for: .rmssd), let meanSquare = differences.meanSquare(count: pairCount) {
      let rmssd = meanSquare.squareRoot()
      values.rmssd = rmssd
      if isLongEnough(for: .lnRMSSD), rmssd > 0 { values.lnRMSSD = Maths.ln(rmssd) }
    }
    let deviation = isLongEnough(for: .sdsd) ? differences.standardDeviation(count: pairCount) : nil
    values.sdsd = deviation
    if isLongEnough(for: .pnn50), pairCount > 0 { values.pnn50 = 100 * Double(over50) / Double(count) }
    if isLongEnough(for: .pnn20), pairCount > 0 { values.pnn20 = 100 * Double(over20) / Double(count) }
    // The deviation of a quantity over √2 is its deviation over √2.
    if isLongEnough(for: .sd1) { values.sd1 = deviation.map { $0 * 0.5.squareRoot() } }
    if isLongEnough(for: .sd2) {
      values.sd2 = pairSums.standardDeviation(count: pairCount).map { $0 * 0.5.squareRoot() }
    }
    return TimeDomainMetrics(count: count, pairCount: pairCount, duration: duration, values: values)
  }
}

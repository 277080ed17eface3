import HRV
import TachogramCore
import TachogramTestKit
import Testing

struct TimeDomainAccumulatorTests {
  // MARK: - Closed forms

  /// 120 beats alternating between 800 and 1000 ms: 119 differences, 60 of +200 and 59 of −200; all sums are 1800.
  @Test func testAlternatingIntervals_HaveTheirClosedForm() throws {
    let metrics = metrics(of: (0..<120).map { $0.isMultiple(of: 2) ? 800 : 1000 })
    let sdsd = ((119 * 40_000 - 40_000 / 119.0) / 118).squareRoot()
    #expect(metrics.count == 120)
    #expect(metrics.pairCount == 119)
    try expect(metrics, .meanNN, 900)
    try expect(metrics, .meanHeartRate, 60_000 / 900.0)
    try expect(metrics, .sdnn, 100 * (120 / 119.0).squareRoot())
    try expect(metrics, .rmssd, 200)
    try expect(metrics, .lnRMSSD, 5.298_317_366_548_036)
    try expect(metrics, .sdsd, sdsd)
    try expect(metrics, .pnn50, 100 * 119 / 120.0)
    try expect(metrics, .pnn20, 100 * 119 / 120.0)
    try expect(metrics, .sd1, sdsd / 2.0.squareRoot())
    #expect(metrics.values.sd2 == 0)
  }

  @Test func testSawtooth_HasItsClosedForm() throws {
    let metrics = metrics(of: (0..<100).map { Double(1000 + 20 * ($0 % 5)) })
    try expect(metrics, .meanNN, 1040)
    try expect(metrics, .rmssd, 39.389_277, accuracy: 1e-6)
    try expect(metrics, .sdnn, 28.426_762, accuracy: 1e-6)
    try expect(metrics, .pnn50, 19)
    // A difference of exactly 20 ms is not above 20 ms.
    try expect(metrics, .pnn20, 19)
  }

  /// The 11 beats of HeartPy's documentation last 10.9 s. Six times over, with a gap between, they keep their RMSSD of
  /// 67.082 ms; SDNN changes with n: 61.240617 ms is its value with the divisor n.
  @Test func testHeartPyVectorRepeatedOverGaps_HasItsRMSSD() throws {
    let vector: [Double] = [1020, 990, 960, 1000, 1050, 1090, 990, 900, 900, 950, 1080]
    let metrics = metrics(
      of: Array(repeating: vector, count: 6).flatMap { $0 }, breaksBefore: [11, 22, 33, 44, 55],
    )
    #expect(metrics.pairCount == 60)
    try expect(metrics, .rmssd, 4500.squareRoot())
    try expect(metrics, .sdnn, 61.240_617_429_451_97 * (66 / 65.0).squareRoot())
    // To eleven beats, −100, −90 and +130 are above 50 ms, and all ten differences but a 0 above 20 ms.
    try expect(metrics, .pnn50, 100 * 3 / 11.0)
    try expect(metrics, .pnn20, 100 * 9 / 11.0)
  }

  // MARK: - Thresholds

  /// 50 ms are 51.2 ticks: a strap's intervals never differ by exactly that; corrected ones may.
  @Test(arguments: [
    (50.0, 0.0), (50.000_000_1, 100 * 59 / 60.0), (-50, 0), (20, 0), (20.000_000_1, 0),
  ])
  func testDifferenceAtThreshold_IsNotAboveIt(step: Double, pnn50: Double) throws {
    let metrics = metrics(of: (0..<60).map { $0.isMultiple(of: 2) ? 1100 : 1100 + step })
    try expect(metrics, .pnn50, pnn50)
    try expect(metrics, .pnn20, abs(step) > 20 ? 100 * 59 / 60.0 : 0)
  }

  // MARK: - Minimums and reasons

  @Test(arguments: HRVMetric.timeDomain)
  func testMinimumDuration_IsWhereTheMetricBegins(metric: HRVMetric) {
    // Intervals of 640 ticks, 625 ms, and at the end one that fills up to the minimum, or one tick less.
    let enough = [625, 625 + 0.976_562_5] + Array(repeating: 625.0, count: Int(metric.minimumSeconds / 0.625) - 2)
    let short = [625, 625 - 0.976_562_5] + Array(repeating: 625.0, count: Int(metric.minimumSeconds / 0.625) - 2)
    let missing = metrics(of: short)
    #expect(metrics(of: enough)[metric] != nil)
    #expect(metrics(of: enough).reason(for: metric) == nil)
    #expect(missing[metric] == nil)
    #expect(
      missing.reason(for: metric)
        == .tooShort(seconds: missing.duration / 1000, minimum: metric.minimumSeconds))
  }

  @Test func testExactlyTheMinimum_IsEnough() {
    let metrics = metrics(of: Array(repeating: 1000, count: 60))
    #expect(metrics.duration == 60_000)
    #expect(metrics.values.sdnn == 0)
    #expect(metrics.values.pnn50 == 0)
  }

  @Test(arguments: HRVMetric.timeDomain)
  func testNoIntervals_IsTheReason(metric: HRVMetric) {
    let metrics = metrics(of: [])
    #expect(metrics[metric] == nil)
    #expect(metrics.reason(for: metric) == .noIntervals)
  }

  @Test func testNoVariation_HasNoLogarithm() {
    let metrics = metrics(of: Array(repeating: 800, count: 100))
    #expect(metrics.values.rmssd == 0)
    #expect(metrics.values.lnRMSSD == nil)
    #expect(metrics.reason(for: .lnRMSSD) == .noVariation)
  }

  @Test func testGapsEverywhere_LeaveNoPairs() {
    let metrics = metrics(of: Array(repeating: 1000, count: 90), breaksBefore: Set(0..<90))
    #expect(metrics.pairCount == 0)
    #expect(metrics.values.sdnn == 0)
    #expect(metrics.reason(for: .rmssd) == .tooFew(count: 0, minimum: 1))
    #expect(metrics.reason(for: .lnRMSSD) == .tooFew(count: 0, minimum: 1))
    #expect(metrics.reason(for: .pnn50) == .tooFew(count: 0, minimum: 1))
    #expect(metrics.reason(for: .sdsd) == .tooFew(count: 0, minimum: 2))
    #expect(metrics.reason(for: .sd1) == .tooFew(count: 0, minimum: 2))
    #expect(metrics.reason(for: .sd2) == .tooFew(count: 0, minimum: 2))
  }

  @Test func testOnePair_HasNoDeviationOfDifferences() throws {
    let metrics = metrics(of: [40_000, 41_000])
    try expect(metrics, .rmssd, 1000)
    #expect(metrics.reason(for: .sdsd) == .tooFew(count: 1, minimum: 2))
    #expect(metrics.reason(for: .sd2) == .tooFew(count: 1, minimum: 2))
  }

  @Test func testOneLongInterval_HasNoDeviation() {
    let metrics = metrics(of: [65_000])
    #expect(metrics.values.meanNN == 65_000)
    #expect(metrics.reason(for: .sdnn) == .tooFew(count: 1, minimum: 2))
  }

  @Test func testDifferenceAcrossAGap_IsNotCounted() throws {
    let metrics = metrics(
      of: Array(repeating: 800, count: 50) + Array(repeating: 1200, count: 50), breaksBefore: [50],
    )
    #expect(metrics.values.rmssd == 0)
    #expect(metrics.values.pnn20 == 0)
    #expect(metrics.pairCount == 98)
    try expect(metrics, .sdnn, 200 * (100 / 99.0).squareRoot())
  }

  // MARK: - Helpers

  /// The metrics of an accumulator, after it was seen that the batch computation agrees.
  private func metrics(of intervals: [Double], breaksBefore: Set<Int> = []) -> TimeDomainMetrics {
    var accumulator = TimeDomainAccumulator()
    var previous: NNInterval?
    for (index, milliseconds) in intervals.enumerated() {
      let nn = NNInterval(milliseconds: milliseconds)
      accumulator.add(nn, after: breaksBefore.contains(index) ? nil : previous)
      previous = nn
    }
    let metrics = accumulator.metrics()
    let batch = HRVBatch.metrics(of: intervals, breaksBefore: breaksBefore)
    #expect(MetricsComparison.differences(metrics, batch).isEmpty)
    return metrics
  }

  private func expect(
    _ metrics: TimeDomainMetrics, _ metric: HRVMetric, _ expected: Double, accuracy: Double = 1e-9,
    sourceLocation: SourceLocation = #_sourceLocation,
  ) throws {
    let value = try #require(metrics[metric], sourceLocation: sourceLocation)
    #expect(abs(value - expected) <= accuracy, sourceLocation: sourceLocation)
  }
}

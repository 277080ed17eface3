import Foundation
import Stress
import TachogramCore
import Testing

struct MetricBaselineTests {
  private let now = Date(timeIntervalSince1970: 20_520 * 86_400)

  private func sample(_ value: Double, hoursAgo: Double) -> WindowSample {
    var values = HRVValues()
    values.sdnn = value
    values.meanHeartRate = value
    return WindowSample(
      timestamp: now - hoursAgo * 3600,
      metrics: TimeDomainMetrics(count: 300, pairCount: 299, duration: 300_000, values: values))
  }

  /// Samples an hour apart.
  private func samples(_ values: [Double]) -> [WindowSample] {
    values.enumerated().map { sample($1, hoursAgo: Double($0)) }
  }

  private func baseline(_ samples: [WindowSample], zone: TimeZone = .gmt) -> MetricBaseline {
    MetricBaselineCalculator(timeZone: zone).baseline(of: .sdnn, from: samples, at: now)
  }

  // MARK: - Values

  @Test func testThirtyWindows_GiveQuartilesWithoutTheOutlier() throws {
    let baseline = baseline(samples((40..<70).map(Double.init) + [500]))
    let quartiles = try #require(baseline.quartiles)
    #expect(baseline.count == 30)
    #expect(baseline.outliers == 1)
    #expect(abs(quartiles.lower - 47.25) < 1e-12)
    #expect(abs(quartiles.median - 54.5) < 1e-12)
    #expect(abs(quartiles.upper - 61.75) < 1e-12)
  }

  /// Quartiles 50 and 60, so that the fences are 35 and 75.
  @Test(arguments: [(35.0, 0), (34.999, 1), (75, 0), (75.001, 1)])
  func testFence_IsOneAndAHalfRangesAway(value: Double, outliers: Int) {
    let usual = Array(repeating: 50.0, count: 20) + Array(repeating: 60, count: 20)
    #expect(baseline(samples(usual + [value])).outliers == outliers)
  }

  @Test func testTooFewAfterTheFilter_GiveNoQuartiles() {
    let baseline = baseline(samples((40..<69).map(Double.init) + [500]))
    #expect(baseline.quartiles == nil)
    #expect(baseline.count == 29)
    #expect(baseline.outliers == 1)
  }

  @Test func testWindowsWithoutTheMetricOrOfOtherDays_AreLeftOut() {
    let samples = [
      sample(50, hoursAgo: 720), sample(50, hoursAgo: 720.01), sample(50, hoursAgo: -0.01), sample(.nan, hoursAgo: 1),
    ]
    #expect(baseline(samples).count == 1)
    let rmssd = MetricBaselineCalculator(timeZone: .gmt).baseline(of: .rmssd, from: samples, at: now)
    #expect(rmssd.count == 0)
  }

  @Test func testRestingHeartRate_IsTheTenthPercentileOfTenAtLeast() throws {
    let calculator = MetricBaselineCalculator(timeZone: .gmt)
    let rates = samples((50...60).map(Double.init).reversed())
    #expect(abs(try #require(calculator.restingHeartRate(from: rates, at: now)) - 51) < 1e-12)
    #expect(calculator.restingHeartRate(from: Array(rates.prefix(9)), at: now) == nil)
  }

  @Test func testHourWithFive_HasItsMedianInTheTimeZone() throws {
    let values = (0..<5).map { sample(50 + Double($0), hoursAgo: Double($0) * 24 + 21) }
    let four = (0..<4).map { sample(50, hoursAgo: Double($0) * 24 + 10) }
    #expect(baseline(values + four).hourly == [3: 52])
    #expect(baseline(values + four, zone: try StressScript.zone("Asia/Tokyo")).hourly == [12: 52])
  }

  // MARK: - Sampling

  @Test func testWindowsOfEveryMinute_CountOnceInFive() throws {
    let start = try StressScript.utc("2026-03-01", hour: 0)
    var sampling = WindowSampling()
    for minute in 1...60 {
      // Recorded at the first beat after the minute.
      let beat = [0.7, 0.1, 0.9][minute % 3]
      sampling.append(
        StressScript.window(
          endingAt: start + Double(minute) * 60 + beat, filled: min(1, Double(minute) / 5), values: HRVValues()))
    }
    let minutes = sampling.samples.map { Int($0.timestamp.timeIntervalSince(start) / 60) }
    #expect(minutes == Array(stride(from: 4, through: 59, by: 5)))
  }

  @Test func testSessionBesideAnother_CountsFromItsEnd() throws {
    let start = try StressScript.utc("2026-03-01", hour: 0)
    var sampling = WindowSampling()
    for minute in [5.0, 10] { sampling.append(StressScript.window(endingAt: start + minute * 60, values: HRVValues())) }
    for minute in [8.0, 13, 15] {
      sampling.append(StressScript.window(endingAt: start + minute * 60, session: "b", values: HRVValues()))
    }
    #expect(sampling.samples.map { $0.timestamp.timeIntervalSince(start) / 60 } == [5, 10, 15])
  }

  @Test(arguments: [
    (300, 0.8, 0.2, 1), (300, 0.79, 0, 0), (300, 1, 0.21, 0), (120, 1, 0, 0),
  ])
  func testWindow_MustBeLongCoveredAndClean(length: Int, coverage: Double, artifactShare: Double, count: Int) {
    var sampling = WindowSampling()
    sampling.append(
      StressScript.window(
        endingAt: now, length: WindowLength(seconds: length), coverage: coverage, artifactShare: artifactShare,
        values: HRVValues()))
    #expect(sampling.samples.count == count)
  }
}

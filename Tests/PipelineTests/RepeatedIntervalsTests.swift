import Foundation
import Pipeline
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Intervals that repeat themselves are a heart's or not: nothing but their mean is said of them, and why.
struct RepeatedIntervalsTests {
  private static let baseline = PersonalBaseline.default(lastUpdated: Date(timeIntervalSince1970: 0))

  private static func analyzed(_ intervals: [Double], options: AnalysisOptions = AnalysisOptions()) -> SeriesReport {
    var analysis = SeriesAnalysis(baseline: baseline, options: options)
    for interval in intervals { analysis.add(milliseconds: interval, gap: nil) }
    return analysis.report()
  }

  /// A pattern of so many intervals, 3 … 60 % of their mean apart.
  private static func pattern(_ period: Int, seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed &* 1000 &+ UInt64(period))
    let spread = [30, 120, 500][Int(seed % 3)] as Double
    return (0..<period).map { _ in 700 + (spread * random.unit()).rounded() }
  }

  // MARK: - No stress

  @Test(arguments: [273, 300, 500, 1000, 2000] as [Double])
  func testEqualIntervals_HaveTheirMeanAndNoStress(interval: Double) {
    let report = Self.analyzed(Array(repeating: interval, count: 1200))
    #expect(report.stress == .unavailable(.metric(.sdnn, .repeatedIntervals(share: 1))))
    #expect(report.correction.metrics.reason(for: .lnRMSSD) == .repeatedIntervals(share: 1))
    #expect(report.correction.metrics[.meanNN] == interval)
    #expect(report.correction.quality.artifactShare == 0)
    #expect(report.windows.allSatisfy { $0.corrected[.rmssd] == nil && $0.window.artifactShare == 0 })
    #expect(report.raw[.sdnn] == 0)
  }

  /// Whichever pattern it is: correction may find artifacts in it, and it may be irregular; there is no stress level.
  @Test(arguments: 1...32)
  func testPatternOverAndOver_HasNoStress(period: Int) {
    for seed in 0..<9 as Range<UInt64> {
      let pattern = Self.pattern(period, seed: seed)
      let report = Self.analyzed((0..<700).map { pattern[$0 % period] })
      guard case .unavailable = report.stress else {
        Issue.record("\(pattern): \(report.stress)")
        continue
      }
      #expect(report.correction.metrics[.sdnn] == nil, "\(pattern)")
    }
  }

  /// The same with the noise of a heart is judged as before.
  @Test(arguments: 2...32)
  func testSmallPatternWithNoise_HasStress(period: Int) {
    var random = SplitMix64(seed: UInt64(period))
    let pattern = Self.pattern(period, seed: 0)
    let report = Self.analyzed((0..<700).map { pattern[$0 % period] + (20 * (random.unit() - 0.5)).rounded() })
    guard case .available = report.stress else {
      Issue.record("\(report.stress)")
      return
    }
  }

  @Test func testAllowedRepetition_HasStress() {
    var options = AnalysisOptions()
    options.limits.irregular = 1
    guard case .available(let stress) = Self.analyzed(Array(repeating: 1000, count: 600), options: options).stress
    else {
      Issue.record("no stress level")
      return
    }
    #expect(abs(stress.level - 70) < 1e-9)
  }
}

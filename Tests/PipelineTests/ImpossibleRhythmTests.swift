import Foundation
import Pipeline
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Intervals of which each could be one of a heart, in a series that no heart in sinus rhythm makes: nothing but their mean is
/// said of them, however long they have been coming.
struct ImpossibleRhythmTests {
  private static let reportEvery = 150

  /// What is said although nothing should be.
  private static func said(_ intervals: [Double]) -> [String] {
    var analysis = SeriesAnalysis(baseline: .default(lastUpdated: Date(timeIntervalSince1970: 0)))
    var said: [String] = []
    for (number, interval) in intervals.enumerated() {
      analysis.add(milliseconds: interval, gap: nil)
      guard number + 1 == intervals.count || number > 0 && number % reportEvery == 0 else { continue }
      let report = analysis.report()
      if case .available(let stress) = report.stress { said.append("\(number): stress with \(stress.confidence)") }
      for metric in [HRVMetric.sdnn, .rmssd, .sd1, .hf, .dfaAlpha1] {
        if report.correction.metrics[metric] != nil { said.append("\(number): \(metric) of the whole") }
        for window in report.windows where window.window.metrics[metric] != nil {
          said.append("\(number): \(metric) of \(window.window.length) s")
        }
      }
    }
    return said
  }

  private static func hasStress(_ intervals: [Double]) -> Bool {
    var analysis = SeriesAnalysis(baseline: .default(lastUpdated: Date(timeIntervalSince1970: 0)))
    for interval in intervals { analysis.add(milliseconds: interval, gap: nil) }
    return if case .available = analysis.report().stress { true } else { false }
  }

  @Test(
    arguments: [
      [800, 800, 400], [850, 850, 850, 500], [500, 700, 900, 1100], [500, 800, 1100, 800], [700, 700, 950],
      [600, 1100], [600, 600, 1100], [300, 1900], [400, 800, 1200, 1600],
    ] as [[Double]])
  func testSmallPatternOverAndOver_IsNoMeasureOfAnything(pattern: [Double]) {
    let said = Self.said((0..<1500).map { pattern[$0 % pattern.count] })
    #expect(said.isEmpty)
  }

  @Test func testSineOfAThirdInSixBeats_IsNoMeasureOfAnything() {
    #expect(Self.said((0..<1500).map { 900 + 300 * sin(1.1 * Double($0)) }).isEmpty)
  }

  @Test func testSlowSwingBeyondAnyHeart_IsNoMeasureOfAnything() {
    // Within a short window it may be a heart that slows down: only what lasts is asked for.
    var analysis = SeriesAnalysis(baseline: .default(lastUpdated: Date(timeIntervalSince1970: 0)))
    for place in 0..<1200 {
      analysis.add(milliseconds: 1100 + 800 * sin(2 * .pi / 100 * Double(place)), gap: nil)
    }
    let report = analysis.report()
    #expect(report.correction.metrics[.sdnn] == nil)
    guard case .unavailable = report.stress else {
      Issue.record("\(report.stress)")
      return
    }
  }

  /// Just beyond the bound, where each difference counts: what is put in for impossible intervals must not take it below.
  @Test(arguments: [200, 210, 220, 230, 250, 280] as [Double], 0..<4 as Range<UInt64>)
  func testImpossibleIntervalsAmongIrregularOnes_DoNotMakeThemRegular(width: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed &* 1000 &+ UInt64(width))
    let intervals = (0..<600).map { _ in (890 + width * (random.unit() - 0.5)).rounded() }
    guard !Self.hasStress(intervals) else { return }
    for value in [120, 2500, 5000] as [Double] {
      for every in [20, 50, 200] {
        let replaced = intervals.indices.map { $0 % every == every / 2 ? value : intervals[$0] }
        let hasStress = Self.hasStress(replaced)
        #expect(!hasStress, "\(value) ms, every \(every)")
      }
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func testTwoInFiveIntervalsAtRandom_AreNoMeasureOfAnything(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let intervals = (0..<1500).map { place -> Double in
      if random.unit() < 0.4 { return Double.random(in: 300...2000, using: &random) }
      let breathing: Double = 30 * sin(0.35 * Double(place))
      let noise: Double = 40 * (random.unit() - 0.5)
      return 850 + breathing + noise
    }
    #expect(Self.said(intervals).isEmpty)
  }
}

import Foundation
import Pipeline
import TachogramCore
import TachogramTestKit
import Testing

struct SeriesAnalysisTests {
  private let baseline = PersonalBaseline.standard(lastUpdated: Date(timeIntervalSince1970: 0))

  @Test func testSeries_EqualsTheBatch() throws {
    var random = SplitMix64(seed: 3)
    let series = (0..<2000).map { _ in 700 + 300 * random.unit() }
    var analysis = SeriesAnalysis(baseline: baseline)
    for value in series { analysis.add(milliseconds: value, gap: nil) }
    let expected = HRVBatch.metrics(of: series)
    let report = analysis.report()
    for metric in HRVMetric.timeDomain {
      let value = try #require(report.raw[metric])
      let reference = try #require(expected[metric])
      #expect(abs(value - reference) <= 1e-9 * abs(reference), "\(metric)")
    }
    #expect(report.beats.coverage == 1)
  }

  @Test func testGap_BreaksThePairsAndLowersCoverage() {
    var analysis = SeriesAnalysis(baseline: baseline)
    for _ in 0..<60 { analysis.add(milliseconds: 800, gap: nil) }
    analysis.add(milliseconds: 1200, gap: 12_000)
    for _ in 0..<59 { analysis.add(milliseconds: 1200, gap: nil) }
    let report = analysis.report()
    #expect(report.raw[.rmssd] == 0)
    #expect(report.beats.gaps == 1)
    #expect(abs(report.beats.coverage - 120_000 / 132_000) < 1e-12)
  }
}

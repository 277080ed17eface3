import Foundation
import HRV
import Pipeline
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

struct SeriesAnalysisTests {
  private let baseline = PersonalBaseline.default(lastUpdated: Date(timeIntervalSince1970: 0))

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

  /// Longer than any clock counts: ends of time stand still, and nothing overflows.
  @Test(arguments: [1e12, 1e300])
  func testGapsBeyondAllTime_LeaveTheMetricsOfTheIntervals(gap: Double) {
    var analysis = SeriesAnalysis(baseline: baseline)
    for _ in 0..<60 { analysis.add(milliseconds: 800, gap: gap) }
    let report = analysis.report()
    #expect(report.raw[.meanNN] == 800)
    #expect(report.raw.timeDomain.pairCount == 0)
    #expect(report.beats.gaps == 60)
    #expect(report.beats.coverage < 1e-6)
    #expect(abs(report.beats.spanSeconds - 10 * 366 * 86_400) < 1)
  }

  // MARK: - What is wrong with a series

  private func analyzed(_ intervals: [Double], options: AnalysisOptions = AnalysisOptions()) -> SeriesReport {
    var analysis = SeriesAnalysis(baseline: baseline, options: options)
    for interval in intervals { analysis.add(milliseconds: interval, gap: nil) }
    return analysis.report()
  }

  private func steady(_ count: Int, seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in 800 + 60 * (random.unit() - 0.5) }
  }

  @Test func testOneMissedBeat_LeavesTheStressWhereItWas() throws {
    let clean = steady(500, seed: 1)
    let withMissed = Array(clean[..<400]) + [clean[400] + clean[401]] + Array(clean[402...])
    guard case .available(let expected) = analyzed(clean).stress,
      case .available(let stress) = analyzed(withMissed).stress
    else {
      Issue.record("no stress level")
      return
    }
    #expect(abs(stress.hrv - expected.hrv) < 0.02 * expected.hrv)
    #expect(stress.confidence < expected.confidence)
  }

  @Test func testIntervalsAtRandom_GiveAReasonAndNoNumber() {
    var random = SplitMix64(seed: 7)
    let report = analyzed((0..<2000).map { _ in 500 + 500 * random.unit() })
    for metric in [HRVMetric.sdnn, .rmssd, .lnRMSSD, .sampleEntropy, .dfaAlpha1] {
      switch report.correction.metrics.reason(for: metric) {
      case .irregularRhythm, .tooManyArtifacts: break
      case let reason: Issue.record("\(metric): \(String(describing: reason))")
      }
    }
    guard case .unavailable(.metric(.sdnn, _)) = report.stress else {
      Issue.record("\(report.stress)")
      return
    }
    #expect(report.raw[.sdnn] != nil)
  }

  /// Ten minutes that cannot be trusted, and five that can: the live values are those of the last window, the report has none.
  @Test func testRefusedRecording_HasNoStressInItsReport() {
    var random = SplitMix64(seed: 7)
    let irregular = (0..<800).map { _ in 500 + 600 * random.unit() }
    let intervals = irregular + steady(900, seed: 2)
    let report = analyzed(intervals)
    #expect(report.windows.last { $0.window.length == 300 }?.window.metrics[.sdnn] != nil)
    #expect(report.correction.metrics[.sdnn] == nil)
    guard case .unavailable(.recording(.sdnn, let reason)) = report.stress else {
      Issue.record("\(report.stress)")
      return
    }
    #expect(report.correction.metrics.reason(for: .sdnn) == reason)
    // And: who allows any share of artifacts has both
    var options = AnalysisOptions()
    (options.limits.other, options.limits.ofOrder, options.limits.irregular) = (1, 1, 1)
    guard case .available = analyzed(intervals, options: options).stress else {
      Issue.record("no stress level")
      return
    }
  }

  @Test func testManyEctopicBeats_TakeTheValuesOrTheConfidence() {
    // Every fourth beat comes early and is followed by a pause.
    var intervals = steady(1200, seed: 3)
    for place in stride(from: 10, to: intervals.count - 1, by: 4) {
      intervals[place] = 520
      intervals[place + 1] = 1080
    }
    let report = analyzed(intervals)
    switch report.stress {
    case .available(let result): #expect(result.confidence < 0.6)
    case .unavailable: break
    }
    #expect(report.correction.metrics[.lf] == nil && report.correction.metrics[.dfaAlpha1] == nil)
  }

  @Test func testLimits_AreThoseOfTheOptions() {
    var intervals = steady(1200, seed: 5)
    for place in stride(from: 20, to: intervals.count - 1, by: 50) {
      intervals[place] = 560
      intervals[place + 1] = 1040
    }
    var strict = AnalysisOptions()
    strict.limits.other = 0.01
    strict.limits.ofOrder = 0.01
    #expect(analyzed(intervals).correction.metrics[.lf] != nil)
    let refused = analyzed(intervals, options: strict).correction.metrics
    for metric in [HRVMetric.rmssd, .lf, .dfaAlpha1, .triangularIndex] { #expect(refused[metric] == nil) }
    guard case .tooManyArtifacts(_, let limit) = refused.reason(for: .rmssd) else {
      Issue.record("\(String(describing: refused.reason(for: .rmssd)))")
      return
    }
    #expect(limit == 0.01)
  }

  // MARK: - What plots need

  @Test func testTrace_HasTheIntervalsWhereItIsAskedFor() throws {
    var options = AnalysisOptions()
    options.keepsSeries = true
    var plain = SeriesAnalysis(baseline: baseline)
    var kept = SeriesAnalysis(baseline: baseline, options: options)
    for place in 0..<1000 {
      let milliseconds = place == 500 ? 1640.0 : 800 + 10 * Double(place % 3)
      let gap = place == 700 ? 20_000.0 : nil
      plain.add(milliseconds: milliseconds, gap: gap)
      kept.add(milliseconds: milliseconds, gap: gap)
    }
    let report = kept.report()
    let trace = try #require(report.trace)
    #expect(trace.raw.count == 1000)
    #expect(trace.raw.indices.filter { trace.raw[$0].beatClass != .normal } == [500])
    #expect(trace.raw.indices.filter { trace.raw[$0].followsGap } == [700])
    #expect(trace.raw[500].beatClass == .missed)
    #expect(trace.corrected.count == 1001)
    #expect(trace.corrected.count { $0.beatClass == .missed } == 2)
    #expect(trace.corrected.last?.end == trace.raw.last?.end)
    #expect(trace.spectrum != nil)
    // The list of artifacts is for those who asked for it.
    #expect(report.correction.positions == nil)
    #expect(plain.report().trace == nil)
    #expect(plain.report().correction == report.correction)
  }

  @Test func testSpectraOfSegments_AreThoseOfTheirMetrics() throws {
    var options = AnalysisOptions()
    options.keepsSeries = true
    options.keepsSegments = true
    var analysis = SeriesAnalysis(baseline: baseline, options: options)
    var random = SplitMix64(seed: 11)
    for _ in 0..<2000 { analysis.add(milliseconds: 800 + 40 * random.unit(), gap: nil) }
    let report = analysis.report()
    let segments = report.segments.corrected
    let spectra = try #require(report.trace).spectra(ofSegments: Set(segments.map(\.number)))
    #expect(spectra.count == segments.count && spectra.count > 3)
    for (spectrum, segment) in zip(spectra, segments) {
      #expect(segment.metrics[.hf].map { abs(spectrum.power(.hf) - $0) < 1e-9 } == true)
    }
    #expect(try #require(report.trace).spectra(ofSegments: [1]).count == 1)
  }
}

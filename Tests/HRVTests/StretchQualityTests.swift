import HRV
import TachogramCore
import TachogramTestKit
import Testing

struct StretchQualityTests {
  // MARK: - The verdict

  @Test func testArtifactsForThemselves_AreTheReasonBeforeTheRhythm() {
    var quality = StretchQuality(total: 100, artifacts: 21)
    #expect(quality.refusal(above: 0.2, irregular: 0.05) == .tooManyArtifacts(share: 0.21, limit: 0.2))
    #expect(quality.refusal(above: 0.21, irregular: 0.05) == nil)
    quality.set(.irregular)
    #expect(quality.artifactShare == 1)
    #expect(quality.refusal(above: 0.2, irregular: 0.05) == .tooManyArtifacts(share: 1, limit: 0.2))
    #expect(quality.refusal(above: 0.21, irregular: 0.05) == .irregularRhythm(share: 1))
    // Some irregular segments and some artifacts together are too many.
    var mixed = StretchQuality(total: 100, artifacts: 18)
    (mixed.untrusted, mixed.irregularShare) = (22, 0.04)
    #expect(mixed.refusal(above: 0.2, irregular: 0.05) == .tooManyArtifacts(share: 0.22, limit: 0.2))
    #expect(StretchQuality(total: 0, artifacts: 0).artifactShare == 0)
  }

  /// They are what they are; only their variability says nothing.
  @Test func testRepeatedIntervals_CanBeTrustedAndAreRefused() {
    var quality = StretchQuality(total: 100, artifacts: 10)
    quality.set(.repeated)
    #expect(quality.artifactShare == 0.1 && quality.repeatedShare == 1)
    #expect(quality.refusal(above: 0.2, irregular: 0.05) == .repeatedIntervals(share: 1))
    #expect(quality.refusal(above: 0.05, irregular: 0.05) == .tooManyArtifacts(share: 0.1, limit: 0.05))
    quality.repeatedShare = 0.05
    #expect(quality.refusal(above: 0.2, irregular: 0.05) == nil)
    // An irregular rhythm is the reason before them.
    quality.repeatedShare = 0.3
    quality.set(.irregular)
    #expect(quality.refusal(above: 0.2, irregular: 0.05) == .irregularRhythm(share: 1))
    var empty = StretchQuality(total: 0, artifacts: 0)
    empty.set(.repeated)
    #expect(empty.repeatedShare == 0)
  }

  @Test func testSeriesOfGaps_SaysThatTheyAreArtifacts() {
    var series = HRVSeries(keepsSegments: true, limits: ArtifactLimits())
    for second in 1...20 { series.appendGap(endingAt: MonotonicTime(microseconds: Int64(second) * 10_000_000)) }
    for metric in HRVMetric.timeDomain + HRVMetric.ofSeries {
      #expect(
        series.metrics().reason(for: metric) == .tooManyArtifacts(share: 1, limit: ArtifactLimits().limit(for: metric)))
    }
    let window = series.windows(sessionStart: MonotonicTime(microseconds: 0)).last
    #expect(window?.artifactShare == 1 && window?.coverage == 0)
    #expect(window?.end == MonotonicTime(microseconds: 200_000_000))
  }

  // MARK: - Windows with gaps

  /// Intervals of all lengths, some of them gaps, and stretches of an irregular rhythm: the window at every beat is what its
  /// definition gives.
  @Test(arguments: 0..<6 as Range<UInt64>)
  func testWindowsWithGaps_AreThoseOfTheirDefinition(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var engine = HRVEngine(lengths: [60])
    var beats: [(end: Int64, milliseconds: Double, isArtifact: Bool, isGap: Bool)] = []
    let irregular = [20_000_000..<50_000_000, 90_000_000..<130_000_000 as Range<Int64>]
    var time: Int64 = 0
    var followsGap = false
    for _ in 0..<400 {
      let kind = Int.random(in: 0..<12, using: &random)
      let milliseconds =
        kind == 0
        ? Double.random(in: 3001...9000, using: &random)
        : kind < 3 ? Double.random(in: 1...3000, using: &random) : Double.random(in: 700...900, using: &random)
      time += Int64(milliseconds * 1000)
      let end = MonotonicTime(microseconds: time)
      let isDoubtful = kind == 11
      if kind == 0 {
        engine.appendGap(endingAt: end)
      } else {
        engine.append(
          TimedInterval(
            NNInterval(milliseconds: milliseconds), endingAt: end, followsGap: followsGap, isDoubtful: isDoubtful))
      }
      followsGap = kind == 0
      beats.append((time, milliseconds, isDoubtful || kind == 0, kind == 0))
      let inside = beats.filter { $0.end > time - 60_000_000 }
      let start = max(0, time - 60_000_000)
      let covered = inside.filter { (273...2000).contains($0.milliseconds) }.map {
        min($0.milliseconds * 1000, Double($0.end - start))
      }
      let window = engine.snapshot(sessionStart: MonotonicTime(microseconds: 0))[0]
      #expect(abs(window.coverage - min(1, covered.reduce(0, +) / Double(time - start))) < 1e-6)
      let stretches = irregular.filter { $0.upperBound <= time }
      let quality = engine.quality(
        length: 60,
        judged: stretches.map {
          let span = MonotonicTime(microseconds: $0.lowerBound)..<MonotonicTime(microseconds: $0.upperBound)
          return JudgedStretch(span: span, rhythm: .irregular)
        })
      let untrusted = inside.count { beat in beat.isArtifact || stretches.contains { $0.contains(beat.end) } }
      #expect(quality.total == inside.count)
      #expect(quality.artifacts == inside.count { $0.isArtifact })
      #expect(quality.untrusted == untrusted)
      #expect(window.artifactShare == Double(quality.artifacts) / Double(quality.total))
      #expect(window.metrics.count == inside.count { !$0.isGap })
      #expect(engine.series(length: 60).intervals == inside.filter { !$0.isGap }.map { $0.milliseconds })
    }
  }

  // MARK: - One verdict

  /// A window that reaches into an irregular segment is not trusted, even if it looks regular itself.
  @Test func testWindowOverAnIrregularSegment_IsNotTrusted() {
    var random = SplitMix64(seed: 8)
    let wild = (0..<400).map { _ in 500 + 600 * random.unit() }
    let calm = (0..<900).map { _ in 800 + 40 * random.unit() }
    var series = HRVSeries(keepsSegments: true, limits: ArtifactLimits())
    let start = MonotonicTime(microseconds: 0)
    var end = start
    var windows: [HRVWindow] = []
    for interval in wild + calm {
      end = end.advanced(byMilliseconds: interval)
      series.append(TimedInterval(NNInterval(milliseconds: interval), endingAt: end, followsGap: false))
      windows.append(series.windows(sessionStart: start)[2])
    }
    #expect(series.segments.map { $0.isIrregular } == [true, false, false])
    for window in windows where window.end.microseconds >= 300_000_000 {
      let reach = 600_000_000 - window.end.microseconds
      if reach > 20_000_000 { #expect(window.artifactShare > 0.05 && window.metrics[.sdnn] == nil) }
      if reach < 0 { #expect(window.artifactShare == 0 && window.metrics[.sdnn] != nil) }
    }
    let quality = series.quality
    #expect(quality.irregularShare == 1.0 / 3)
    #expect(quality.untrusted == series.segments[0].metrics.timeDomain.count)
    #expect(series.metrics().reason(for: .sdnn) == .irregularRhythm(share: 1.0 / 3))
    #expect(series.metrics()[.meanNN] != nil)
  }

  /// So is one that reaches into a segment whose intervals repeat themselves; its intervals are none the worse for it.
  @Test func testWindowOverARepeatedSegment_HasItsMeanOnly() {
    var random = SplitMix64(seed: 8)
    var series = HRVSeries(keepsSegments: true, limits: ArtifactLimits())
    let start = MonotonicTime(microseconds: 0)
    var end = start
    var windows: [HRVWindow] = []
    for place in 0..<1300 {
      let interval = place < 375 ? 800 : 800 + 40 * random.unit()
      end = end.advanced(byMilliseconds: interval)
      series.append(TimedInterval(NNInterval(milliseconds: interval), endingAt: end, followsGap: false))
      windows.append(series.windows(sessionStart: start)[2])
    }
    #expect(series.segments.map { $0.rhythm } == [.repeated, .plausible, .plausible])
    for window in windows where window.end.microseconds >= 300_000_000 {
      let reach = 600_000_000 - window.end.microseconds
      #expect(window.artifactShare == 0 && window.metrics[.meanNN] != nil)
      if reach > 20_000_000 { #expect(window.metrics[.sdnn] == nil) }
      if reach < 0 { #expect(window.metrics[.sdnn] != nil) }
    }
    #expect(series.quality.repeatedShare == 1.0 / 3)
    #expect(series.quality.artifactShare == 0)
    #expect(series.metrics().reason(for: .sdnn) == .repeatedIntervals(share: 1.0 / 3))
    #expect(series.metrics()[.meanNN] != nil)
  }

  /// What is not final yet completes a segment as well.
  @Test func testTailThatCompletesASegment_IsJudgedWithIt() {
    var random = SplitMix64(seed: 8)
    var series = HRVSeries(keepsSegments: true, limits: ArtifactLimits())
    let start = MonotonicTime(microseconds: 0)
    var end = start
    func timed(_ interval: Double) -> TimedInterval {
      end = end.advanced(byMilliseconds: interval)
      return TimedInterval(NNInterval(milliseconds: interval), endingAt: end, followsGap: false)
    }
    while end.microseconds < 298_000_000 { series.append(timed(500 + 600 * random.unit())) }
    let tail = (0..<40).map { _ in timed(800) }
    var whole = series
    for interval in tail { whole.append(interval) }
    #expect(series.windows(sessionStart: start, with: tail) == whole.windows(sessionStart: start))
    #expect(whole.segments.count == 1)
  }
}

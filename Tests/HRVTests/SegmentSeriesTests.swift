import HRV
import TachogramCore
import TachogramTestKit
import Testing

struct SegmentSeriesTests {
  private func segments(_ intervals: [(milliseconds: Double, gap: Double)], keepsSegments: Bool = true) -> SegmentSeries
  {
    var segments = SegmentSeries(keepsSegments: keepsSegments, limits: ArtifactLimits())
    var time = 0.0
    for interval in intervals {
      time += interval.gap + interval.milliseconds
      segments.add(
        TimedInterval(
          NNInterval(milliseconds: interval.milliseconds),
          endingAt: MonotonicTime(microseconds: Int64((time * 1000).rounded())), followsGap: interval.gap > 0))
    }
    return segments
  }

  @Test func testIntervals_BelongToTheSegmentInWhichTheyEnd() {
    // 300 intervals of 1 s end before or at 300 s; the one that ends at 300 s belongs to the next segment.
    let segments = segments(Array(repeating: (1000, 0), count: 950))
    #expect(segments.segments.map(\.number) == [0, 1, 2])
    #expect(segments.segments.map { $0.metrics.timeDomain.count } == [299, 300, 300])
    #expect(segments.segments.allSatisfy { $0.coverage > 0.99 })
  }

  @Test func testSegmentThatIsFilled_HasThePowersOfFiveMinutes() {
    var random = SplitMix64(seed: 4)
    let segments = segments((0..<1200).map { _ in (750 + 100 * random.unit(), 0) })
    #expect(segments.segments.count == 3)
    #expect(segments.segments.allSatisfy { $0.metrics[.vlf] != nil && $0.metrics[.sampleEntropy] != nil })
  }

  @Test func testMeansOfSegments_GiveSDANNAndTheirDeviationsTheIndex() throws {
    // Three segments around 1000, 800 and 500 ms, and a beginning of a fourth.
    var random = SplitMix64(seed: 4)
    let plan: [(Double, Int)] = [(1000, 299), (800, 375), (500, 600), (600, 3)]
    let segments = segments(
      plan.flatMap { mean, count in (0..<count).map { _ in (mean + 10 * (random.unit() - 0.5), 0.0) } })
    let means = segments.segments.compactMap { $0.metrics[.meanNN] }
    #expect(means.count == 3)
    let mean = means.reduce(0, +) / 3
    let squares: Double = means.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
    let sdann: Double = try #require(segments.sdann.value)
    #expect(abs(sdann - (squares / 2).squareRoot()) < 1e-9)
    let deviations = segments.segments.compactMap { $0.metrics[.sdnn] }
    let sdnnIndex: Double = try #require(segments.sdnnIndex.value)
    #expect(abs(sdnnIndex - deviations.reduce(0, +) / 3) < 1e-9)
  }

  /// What compares segments is the same where only numbers are kept of them, and of hours of irregular ones few are kept.
  @Test func testSegmentsThatAreNotKept_AmountToTheSame() {
    var random = SplitMix64(seed: 5)
    let intervals = (0..<20_000).map { place -> (Double, Double) in
      let spread: Double = (place / 1500).isMultiple(of: 3) ? 600 : 40
      return (600 + spread * random.unit(), random.unit() < 0.002 ? 200_000 : 0)
    }
    let (kept, summed) = (segments(intervals), segments(intervals, keepsSegments: false))
    #expect(summed.segments.isEmpty)
    #expect(summed.quality == kept.quality)
    #expect(summed.sdann == kept.sdann && summed.sdnnIndex == kept.sdnnIndex)
    let irregular = kept.segments.count { $0.isIrregular }
    #expect(irregular > 8 && irregular < kept.segments.count)
    #expect(kept.quality.irregularShare == Double(irregular) / Double(kept.segments.count))
    #expect(summed.judgedStretches.count == 4)
    #expect(summed.judgedStretches == kept.judgedStretches)
  }

  @Test func testThinSegments_DoNotCount() {
    // Every other segment has an interval in five seconds only.
    let thin: [(Double, Double)] = Array(repeating: (1000, 4000), count: 60)
    let full: [(Double, Double)] = Array(repeating: (1000, 0), count: 300)
    let segments = segments(full + thin + thin)
    #expect(segments.sdann == .missing(.tooFewSegments(count: 1, minimum: 2)))
  }
}

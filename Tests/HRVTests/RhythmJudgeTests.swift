import Foundation
import HRV
import TachogramCore
import TachogramTestKit
import Testing

/// What is told from the rhythm of a series of half an hour, by its 5-minute segments.
struct RhythmJudgeTests {
  /// Breathing that swings the intervals by `swing` ms to either side of `mean` ms, in so many beats a breath.
  struct Breathing {
    var mean: Double
    var swing: Double
    var beats: Double
  }

  /// The share of the segments that are irregular.
  private func irregularShare(_ intervals: [Double]) -> Double {
    var segments = SegmentSeries(keepsSegments: false, limits: ArtifactLimits())
    var time = 0.0
    for interval in intervals {
      time += interval
      segments.add(
        TimedInterval(
          NNInterval(milliseconds: interval), endingAt: MonotonicTime(microseconds: Int64((time * 1000).rounded())),
          followsGap: false))
    }
    return segments.quality.irregularShare
  }

  /// A breathing whose rate is never quite the same, and noise of the beats beside it.
  private func intervals(_ breathing: Breathing, seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed)
    var phase = 0.0
    return (0..<2000).map { _ in
      phase += 2 * .pi / breathing.beats * (0.95 + 0.1 * random.unit())
      return breathing.mean + breathing.swing * sin(phase) + 20 * (random.unit() - 0.5)
    }
  }

  // MARK: - Irregular

  @Test func testIntervalsAtRandom_AreIrregular() {
    var random = SplitMix64(seed: 8)
    #expect(irregularShare((0..<1500).map { _ in 500 + 600 * random.unit() }) == 1)
  }

  /// So many beats were made two that correction cannot tell which are the right ones.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func testEveryTenthBeatInTwo_IsIrregular(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let intervals = (0..<900).flatMap { _ -> [Double] in
      let interval = 950 + 100 * random.unit()
      return random.unit() < 0.1 ? [interval / 3, interval * 2 / 3] : [interval]
    }
    #expect(irregularShare(intervals) == 1)
  }

  /// In perfect order, with the noise of a heart or without.
  @Test(
    arguments: [
      [800, 800, 400], [850, 850, 850, 500], [500, 700, 900, 1100], [1100, 900, 700, 500], [500, 800, 1100, 800],
      [600, 1100], [700, 950], [700, 700, 950], [700, 700, 900], [600, 600, 1100], [800, 560, 1040],
      [800, 800, 560, 1040], [600, 600, 1000, 1000], [300, 1900], [1000, 1000, 1400],
    ] as [[Double]], [0, 15, 40] as [Double])
  func testSmallPatternOverAndOver_IsIrregular(pattern: [Double], noise: Double) {
    var random = SplitMix64(seed: 8)
    let intervals = (0..<2400).map { pattern[$0 % pattern.count] + noise * (random.unit() - 0.5) }
    #expect(irregularShare(intervals) == 1)
  }

  /// Three in a row, of which one is more than a tenth off their mean, whichever they are.
  @Test func testAnyThreeUnlikeIntervalsOverAndOver_AreIrregular() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<100 {
      let pattern = (0..<3).map { _ in Double.random(in: 300...1900, using: &random) }
      let mean = pattern.reduce(0, +) / 3
      guard pattern.contains(where: { abs($0 - mean) > 0.11 * mean }) else { continue }
      #expect(irregularShare((0..<3000).map { pattern[$0 % 3] }) == 1, "\(pattern)")
    }
  }

  /// As smooth as breathing, and far more than it does at such a rate.
  @Test(arguments: [
    Breathing(mean: 900, swing: 300, beats: 2 * .pi / 1.1), Breathing(mean: 900, swing: 300, beats: 2 * .pi / 1.5),
    Breathing(mean: 1000, swing: 250, beats: 4), Breathing(mean: 800, swing: 350, beats: 6),
  ])
  func testSwingThatNoBreathingMakes_IsIrregular(breathing: Breathing) {
    #expect(irregularShare(intervals(breathing, seed: 8)) == 1)
  }

  /// As smooth as it can be, and more apart within minutes than any heart goes.
  @Test(arguments: [(300, 1900, 100), (300, 1900, 60), (300, 2000, 40)] as [(Double, Double, Double)])
  func testSlowSwingBeyondAnyHeart_IsIrregular(shortest: Double, longest: Double, beats: Double) {
    let (middle, swing) = ((shortest + longest) / 2, (longest - shortest) / 2)
    #expect(irregularShare((0..<3000).map { middle + swing * sin(2 * .pi / beats * Double($0)) }) == 1)
  }

  @Test(arguments: [20, 50, 100])
  func testTwoRatesInTurnBeyondAnyHeart_AreIrregular(length: Int) {
    #expect(irregularShare((0..<3000).map { $0 / length % 2 == 0 ? 500 : 1800 }) == 1)
  }

  // MARK: - Regular

  /// From rest to the highest rate and back within a segment, as fast as a heart does it.
  @Test(arguments: [(1000, 400), (900, 350), (1200, 500), (750, 300)] as [(Double, Double)])
  func testSprintAndRecovery_AreNot(rest: Double, exercise: Double) {
    var random = SplitMix64(seed: 8)
    var (intervals, rate, time): ([Double], Double, Double) = ([], 60_000 / rest, 0)
    while time < 1800 {
      // Three minutes of rest, two of exercise; the rate follows within 25 s, and falls within 60 s.
      let isExercise = time.truncatingRemainder(dividingBy: 300) > 180
      let (goal, constant) = isExercise ? (60_000 / exercise, 25.0) : (60_000 / rest, 60.0)
      rate += (goal - rate) * (60 / rate) / constant
      intervals.append(60_000 / rate + 20 * (random.unit() - 0.5))
      time += 60 / rate
    }
    #expect(irregularShare(intervals) == 0)
  }

  /// One ectopic beat in fifty is no rhythm of its own.
  @Test func testSomeEctopicBeats_AreNot() {
    var random = SplitMix64(seed: 8)
    var intervals = (0..<1500).map { _ in 800 + 40 * random.unit() }
    for place in stride(from: 20, to: 1480, by: 50) {
      intervals[place] -= 250
      intervals[place + 1] += 250
    }
    #expect(irregularShare(intervals) == 0)
  }

  @Test func testDeepBreathing_IsNot() {
    // 12 breaths a minute with a swing of 300 ms: large differences, and order in them.
    let intervals = (0..<1500).map { place -> Double in
      let phase = Double(place % 5) / 5
      return 1000 + 300 * (phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase)
    }
    #expect(irregularShare(intervals) == 0)
  }

  /// Paced breathing, children and athletes: up to half of the mean between the shortest and the longest of a breath.
  @Test(
    arguments: [
      Breathing(mean: 900, swing: 250, beats: 10), Breathing(mean: 1000, swing: 300, beats: 10),
      Breathing(mean: 800, swing: 250, beats: 8), Breathing(mean: 1000, swing: 250, beats: 6),
      Breathing(mean: 1000, swing: 200, beats: 5), Breathing(mean: 1000, swing: 140, beats: 4),
      Breathing(mean: 600, swing: 100, beats: 5), Breathing(mean: 1300, swing: 250, beats: 5),
    ], [1, 2, 3] as [UInt64])
  func testBreathingOfAnyDepth_IsNot(breathing: Breathing, seed: UInt64) {
    #expect(irregularShare(intervals(breathing, seed: seed)) == 0)
  }

  @Test func testSteadyRhythmWithNoise_IsNot() {
    var random = SplitMix64(seed: 8)
    #expect(irregularShare((0..<1500).map { _ in 800 + 80 * random.unit() }) == 0)
  }

  /// The first difference of a run has none before it.
  @Test func testManyRuns_MakeNoKinks() {
    var segments = SegmentSeries(keepsSegments: false, limits: ArtifactLimits())
    var time = 0.0
    for number in 0..<1500 {
      // Each run of three climbs by 350 ms a beat.
      let interval = 500 + 350 * Double(number % 3)
      time += interval
      segments.add(
        TimedInterval(
          NNInterval(milliseconds: interval), endingAt: MonotonicTime(microseconds: Int64((time * 1000).rounded())),
          followsGap: number % 3 == 0))
    }
    #expect(segments.quality.irregularShare == 0)
  }
}

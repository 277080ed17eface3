import Foundation
import TachogramCore
import TachogramTestKit
import Testing

@testable import HRV

/// What repeats itself, and what does not by a hair.
struct RepetitionJudgeTests {
  private func rhythm(_ intervals: [Double], breaksBefore breaks: Set<Int> = []) -> Rhythm {
    var series = NNSeries()
    for (place, interval) in intervals.enumerated() { series.append(interval, followsGap: breaks.contains(place)) }
    return RhythmJudge.rhythm(of: series, artifacts: 0)
  }

  /// Intervals of a heart: breathing, a slow wave and noise.
  private func heart(_ count: Int, seed: UInt64, noise: Double = 30) -> [Double] {
    var random = SplitMix64(seed: seed)
    var time = 0.0
    return (0..<count).map { _ in
      let waves: Double = 25 * sin(2 * .pi * 0.25 * time) + 20 * sin(2 * .pi * 0.1 * time)
      let interval: Double = (850 + waves + noise * (random.unit() - 0.5)).rounded()
      time += interval / 1000
      return interval
    }
  }

  // MARK: - Repeated

  @Test(arguments: [273, 300, 500, 857.14, 1000, 2000] as [Double])
  func testEqualIntervals_AreRepeated(interval: Double) {
    #expect(rhythm(Array(repeating: interval, count: 150)) == .repeated)
  }

  /// The beats of a pacemaker come in whole milliseconds or 1/1024 s, and from a strap to a millisecond on either side.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func testFixedRateWithRounding_IsRepeated(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    #expect(rhythm((0..<300).map { _ in 857 + (3 * random.unit()).rounded(.down) }) == .repeated)
    var ticks = 0.0
    let rounded = (0..<300).map { _ -> Double in
      let end = ticks + 857.3 * 1.024
      defer { ticks = end }
      return (end.rounded() - ticks.rounded()) * 1000 / 1024
    }
    #expect(Set(rounded).count > 1 && rhythm(rounded) == .repeated)
  }

  @Test(arguments: 1...32)
  func testPatternOverAndOver_IsNoPlausibleRhythm(period: Int) {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed &* 100 &+ UInt64(period))
      let spread = [20, 100, 400][Int(seed % 3)] as Double
      let pattern = (0..<period).map { _ in 700 + (spread * random.unit()).rounded() }
      #expect(rhythm((0..<300).map { pattern[$0 % period] }) != .plausible, "\(pattern)")
    }
  }

  @Test(arguments: [(10, 10), (20, 20), (10, 32), (12, 25)] as [(Double, Int)])
  func testSawtooth_IsRepeated(step: Double, period: Int) {
    #expect(rhythm((0..<300).map { 700 + step * Double($0 % period) }) == .repeated)
  }

  /// Two rates in turn, a ramp, and rates of which each lasts: one beat is like the one before.
  @Test func testStepsAndRamps_AreRepeated() {
    #expect(rhythm((0..<300).map { $0 / 60 % 2 == 0 ? 600 : 1100 }) == .repeated)
    #expect(rhythm((0..<300).map { 400 + 2 * Double($0) }) == .repeated)
    let heart = heart(30, seed: 3)
    #expect(rhythm((0..<300).map { heart[$0 / 12] }) == .repeated)
  }

  /// A packet in twenty was lost, and the pattern goes on wherever it is.
  @Test func testPatternWithGaps_IsRepeated() {
    let intervals = (0..<300).filter { $0 % 40 != 39 }.map { 800 + 25 * Double($0 % 6) }
    #expect(rhythm(intervals, breaksBefore: Set(stride(from: 39, to: 290, by: 39))) == .repeated)
  }

  // MARK: - Not repeated

  @Test(arguments: 0..<20 as Range<UInt64>)
  func testHeart_IsPlausible(seed: UInt64) {
    #expect(rhythm(heart(350, seed: seed)) == .plausible)
    #expect(rhythm(heart(66, seed: seed)) == .plausible)
  }

  /// As little variability as there is near the highest rate: 2 ms from beat to beat.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func testExercise_IsPlausible(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let intervals = (0..<900).map { _ in (330 + 10 * (random.unit() + random.unit() - 1)).rounded() }
    #expect(rhythm(intervals) == .plausible)
  }

  @Test func testDifference_IsOfTwoMillisecondsAtMost() {
    func twoLengths(_ step: Double) -> [Double] {
      var random = SplitMix64(seed: 8)
      return (0..<300).map { _ in random.unit() < 0.5 ? 0.8 * 1000 : (0.8 + step) * 1000 }
    }
    // As a text in seconds has them.
    #expect(rhythm(twoLengths(0.002)) == .repeated)
    #expect(rhythm(twoLengths(0.003)) == .plausible)
  }

  @Test func testShortestStretch_HasThirtyPairs() {
    #expect(rhythm(Array(repeating: 800, count: 31)) == .repeated)
    #expect(rhythm(Array(repeating: 800, count: 30)) == .plausible)
  }

  @Test func testLongestPattern_IsOf32Beats() {
    let pattern = heart(33, seed: 5)
    #expect(rhythm((0..<330).map { pattern[$0 % 32] }) == .repeated)
    #expect(rhythm((0..<330).map { pattern[$0 % 33] }) == .plausible)
  }

  /// Each odd interval differs from the one before and the one behind: 20 pairs of 200 may be unlike.
  @Test func testTenthOfThePairs_MayBeUnlike() {
    func odd(_ count: Int) -> [Double] {
      var intervals = [Double](repeating: 800, count: 201)
      for (number, place) in [35, 41, 48, 58, 71, 82, 98, 110, 127, 143, 165].prefix(count).enumerated() {
        intervals[place] += Double(10 + 3 * number)
      }
      return intervals
    }
    #expect(rhythm(odd(10)) == .repeated)
    #expect(rhythm(odd(11)) == .plausible)
  }
}

import TachogramCore
import TachogramTestKit
import Testing

@testable import Beats

struct SegmentCorrectorTests {
  private typealias Outcome = CollectedIntervals.Outcome

  /// The intervals of a simulated strap, in ms.
  private static func series(
    _ seed: UInt64, seconds: Int = 1200, rate: Double = 62, breathing: Double = 40, slow: Double = 25,
    noise: Double = 12
  ) -> [Double] {
    var strap = SimulatedStrap()
    strap.duration = seconds
    strap.heartRate = { _ in rate }
    (strap.breathing, strap.slowWave, strap.noise, strap.seed) = (breathing, slow, noise, seed)
    return strap.notifications().flatMap { $0.measurement.rrIntervals.map(\.milliseconds) }
  }

  private func correct(_ runs: [[Double]]) -> (outcomes: [Outcome], findings: ArtifactFindings) {
    let (collected, findings) = CollectedIntervals.correcting(runs, by: .segments)
    return (collected.outcomes, findings)
  }

  /// Root mean square of the differences between neighbours of which neither was mended.
  private func rmssd(_ outcomes: [Outcome]) -> Double {
    let squares = zip(outcomes, outcomes.dropFirst()).compactMap { first, second -> Double? in
      guard first.interval.beatClass == .normal, second.interval.beatClass == .normal else { return nil }
      let difference = second.interval.milliseconds - first.interval.milliseconds
      return difference * difference
    }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  private func rmssd(_ intervals: [Double]) -> Double {
    let squares = zip(intervals, intervals.dropFirst()).map { ($1 - $0) * ($1 - $0) }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  /// The counts of the artifacts that there are.
  private static func artifacts(_ counts: BeatClassCounts) -> [BeatClass: Int] {
    Dictionary(
      uniqueKeysWithValues: BeatClass.allCases.filter { $0 != .normal && counts[$0] > 0 }.map { ($0, counts[$0]) })
  }

  // MARK: - What is found

  @Test(arguments: [
    (rate: 62.0, breathing: 40.0, slow: 25.0, noise: 12.0), (60, 10, 10, 5), (150, 3, 3, 3), (75, 20, 20, 30),
  ])
  func testPlantedArtifacts_AreFoundAndNothingElse(
    _ shape: (rate: Double, breathing: Double, slow: Double, noise: Double)
  ) {
    var (found, planted, wrong, clean) = (0, 0, 0, 0)
    for seed in 0..<5 as Range<UInt64> {
      let base = Self.series(
        seed, rate: shape.rate, breathing: shape.breathing, slow: shape.slow, noise: shape.noise)
      let series = PlantedSeries(base, share: 0.05, seed: seed)
      let (outcomes, findings) = correct([series.intervals])
      var isFlagged = Array(repeating: false, count: series.intervals.count)
      for outcome in outcomes where outcome.interval.beatClass != .normal {
        isFlagged[outcome.interval.source] = true
        // Two were joined: the one before the last is a part of it as well.
        if outcome.interval.beatClass == .extra { isFlagged[outcome.interval.source - 1] = true }
      }
      var isFound = Array(repeating: true, count: series.artifactCount)
      for (index, truth) in series.truth.enumerated() {
        if let truth {
          if !isFlagged[index] { isFound[truth.number] = false }
        } else {
          clean += 1
          wrong += isFlagged[index] ? 1 : 0
        }
      }
      planted += isFound.count
      found += isFound.count { $0 }
      #expect(findings.counts.total == series.intervals.count)
      #expect(abs(rmssd(outcomes) / rmssd(base) - 1) < 0.02)
    }
    #expect(planted > 200)
    #expect(Double(found) >= 0.97 * Double(planted))
    #expect(Double(wrong) <= 0.001 * Double(clean))
  }

  @Test func testOneMissedBeatInThreeHundred_MovesRMSSDByLessThanOnePercent() {
    for seed in 0..<20 as Range<UInt64> {
      let clean = Array(Self.series(seed, seconds: 330).prefix(300))
      var intervals = clean
      intervals.replaceSubrange(150...151, with: [clean[150] + clean[151]])
      let (outcomes, findings) = correct([intervals])
      #expect(findings.counts[.missed] == 1)
      #expect(abs(rmssd(outcomes) / rmssd(clean) - 1) < 0.01)
      #expect(outcomes.count == 300)
    }
  }

  @Test func testEachArtifact_IsMendedAsWhatItIs() {
    let clean = Array(repeating: 800.0, count: 200)
    func classes(_ change: (inout [Double]) -> Void) -> ([BeatClass: Int], [Double]) {
      var intervals = clean
      change(&intervals)
      let (outcomes, findings) = correct([intervals])
      return (Self.artifacts(findings.counts), outcomes.map(\.interval.milliseconds))
    }
    for (counts, mended) in [
      classes { $0.replaceSubrange(100...102, with: [2400]) },
      classes { $0.replaceSubrange(100...100, with: [300, 500]) },
      classes { $0.replaceSubrange(100...101, with: [600, 1000]) },
    ] {
      #expect(counts.count == 1)
      #expect(mended == clean)
    }
    #expect(classes { $0.replaceSubrange(100...102, with: [2400]) }.0 == [.missed: 1])
    #expect(classes { $0.replaceSubrange(100...100, with: [300, 500]) }.0 == [.extra: 2])
    #expect(classes { $0.replaceSubrange(100...101, with: [600, 1000]) }.0 == [.ectopic: 2])
    let short = classes { $0[100] = 600 }
    #expect(short.0 == [.longShort: 1])
    #expect(short.1 == clean)
  }

  @Test func testRateThatRises_IsNotAnArtifact() {
    let intervals = (0..<600).map { 1000 - 600 * Double($0) / 600 }
    #expect(Self.artifacts(correct([intervals]).findings.counts).isEmpty)
  }

  // MARK: - When it is found

  @Test func testWhatIsGiven_IsFinal() {
    // Given
    let series = PlantedSeries(Self.series(7), share: 0.05, seed: 7).intervals
    let whole = correct([series]).outcomes.map(\.interval)
    // When, Then: whatever comes later, what was given stays
    for count in [1, 44, 45, 46, 47, 100, 777, series.count - 1] {
      var corrector = SegmentCorrector()
      var collected = CollectedIntervals()
      var time = 0.0
      for interval in series.prefix(count) {
        time += interval
        corrector.append(
          interval, endingAt: MonotonicTime(microseconds: Int64((time * 1000).rounded())), followsGap: false,
          into: &collected)
      }
      let given = collected.outcomes.map(\.interval)
      #expect(given == Array(whole.prefix(given.count)))
      #expect((given.last?.source ?? -1) >= count - 1 - SegmentCorrector.lookAhead)
    }
  }

  @Test func testRuns_AreCorrectedEachByItself() {
    let runs = (0..<4 as Range<UInt64>).map { seed in
      Array(
        PlantedSeries(Self.series(seed, seconds: 300), share: 0.05, seed: seed).intervals.prefix(60 + 50 * Int(seed)))
    }
    let together = correct(runs).outcomes
    let alone = runs.flatMap { correct([$0]).outcomes }
    #expect(together.map(\.interval.milliseconds) == alone.map(\.interval.milliseconds))
    #expect(together.map(\.followsGap) == alone.map(\.followsGap))
    #expect(together.count { $0.followsGap } == 4)
  }

  @Test(arguments: [0, 1, 2, 3, 5, 46])
  func testShortRuns_AreGivenWhole(count: Int) {
    let (outcomes, _) = correct([Array(repeating: 900, count: count)])
    #expect(outcomes.map(\.interval.source) == Array(0..<count))
  }

  @Test func testAnyIntervals_AreAllCountedAndStayInOrder() {
    var random = SplitMix64(seed: 11)
    let wild = (0..<5000).map { _ in Double.random(in: 0...3000, using: &random) }
    let (outcomes, findings) = correct([wild])
    #expect(findings.counts.total == wild.count)
    #expect(zip(outcomes, outcomes.dropFirst()).allSatisfy { $0.interval.time <= $1.interval.time })
    #expect(outcomes.allSatisfy { $0.interval.milliseconds.isFinite })
  }
}

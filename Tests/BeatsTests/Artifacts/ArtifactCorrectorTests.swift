import TachogramCore
import TachogramTestKit
import Testing

@testable import Beats

/// What holds for every method.
struct ArtifactCorrectorTests {
  private static func wild(_ seed: UInt64, count: Int) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in Double.random(in: 200...2000, using: &random) }
  }

  @Test(arguments: ArtifactMethod.allCases, [0, 1, 2, 3, 12])
  func testShortRuns_AreGivenWhole(method: ArtifactMethod, count: Int) {
    let run = Array(repeating: 900.0, count: count)
    let (collected, findings) = CollectedIntervals.correcting([run], by: method)
    #expect(collected.milliseconds == run)
    #expect(collected.intervals.map(\.source) == Array(0..<count))
    #expect(findings.counts.total == count)
    #expect(findings.counts[.normal] == count)
  }

  @Test(arguments: ArtifactMethod.allCases)
  func testAnyIntervals_AreAllCountedAndKeepTheirDuration(method: ArtifactMethod) {
    for count in [0, 1, 2, 3, 4, 12, 90, 91, 92, 2000] {
      for seed in 0..<10 as Range<UInt64> {
        let run = Self.wild(seed, count: count)
        let (collected, findings) = CollectedIntervals.correcting([run], by: method)
        #expect(findings.counts.total == count)
        let found = findings.positions.map { $0.values.joined().count }
        #expect(found == findings.counts.artifacts)
        for (beatClass, places) in findings.positions ?? [:] {
          #expect(places.count == findings.counts[beatClass])
          #expect(places == places.sorted() && Set(places).count == places.count)
          #expect(places.allSatisfy { (0..<count).contains($0) })
        }
        #expect(collected.milliseconds.allSatisfy { $0.isFinite && $0 >= 0 })
        #expect(zip(collected.intervals, collected.intervals.dropFirst()).allSatisfy { $0.time <= $1.time })
        if method == .lipponenTarvainen {
          let kept: Double = collected.milliseconds.reduce(0, +)
          let given: Double = run.reduce(0, +)
          #expect(abs(kept - given) < 1e-6)
          let beats = findings.counts[.missed] - findings.counts[.extra]
          #expect(collected.intervals.count == count + beats)
        }
      }
    }
  }

  @Test(arguments: ArtifactMethod.allCases)
  func testRuns_AreCorrectedEachByItself(method: ArtifactMethod) {
    let runs = (0..<4 as Range<UInt64>).map { Self.wild($0, count: 60 + 50 * Int($0)) }
    let together = CollectedIntervals.correcting(runs, by: method)
    let alone = runs.map { CollectedIntervals.correcting([$0], by: method) }
    #expect(together.collected.milliseconds == alone.flatMap(\.collected.milliseconds))
    #expect(together.collected.gaps == alone.flatMap(\.collected.gaps))
    #expect(together.collected.gaps.count { $0 } == 4)
    var earlier = 0
    for beatClass in BeatClass.allCases {
      #expect(together.findings.counts[beatClass] == alone.reduce(0) { $0 + $1.findings.counts[beatClass] })
    }
    var positions: [BeatClass: [Int]] = [:]
    for (run, one) in zip(runs, alone) {
      for (beatClass, places) in one.findings.positions ?? [:] {
        positions[beatClass, default: []] += places.map { $0 + earlier }
      }
      earlier += run.count
    }
    #expect(together.findings.positions == positions)
  }

  /// Above 3 s there is no interval, but a gap, by whatever method.
  @Test(arguments: ArtifactMethod.allCases)
  func testIntervalAboveThreeSeconds_IsAGapForAllMethods(method: ArtifactMethod) {
    let runs = (0..<3 as Range<UInt64>).map { Self.wild($0, count: 80) }
    let gap = [[3000.1], [3001, 65_535]]
    let joined = runs[0] + gap[0] + runs[1] + gap[1] + runs[2]
    let (collected, findings) = CollectedIntervals.correcting([joined], by: method)
    let apart = CollectedIntervals.correcting(runs, by: method)
    #expect(collected.milliseconds == apart.collected.milliseconds)
    #expect(collected.gaps == apart.collected.gaps)
    #expect(collected.gapSources == [80, 161, 162])
    #expect(findings.gaps == 3)
    #expect(findings.counts.total == joined.count)
    #expect(findings.counts[.longShort] == apart.findings.counts[.longShort] + 3)
    #expect(Set([80, 161, 162]).isSubset(of: findings.positions?[.longShort] ?? []))
    #expect(
      collected.intervals.map(\.source)
        == apart.collected.intervals.map { $0.source + ($0.source < 80 ? 0 : $0.source < 160 ? 1 : 3) })
    #expect(CollectedIntervals.correcting([[800, 3000, 800]], by: .none).findings.gaps == 0)
  }

  /// What raw intervals in range cover is neither more nor less in the corrected series.
  @Test(arguments: ArtifactMethod.allCases)
  func testCoveredTime_IsThatOfTheRawIntervalsInRange(method: ArtifactMethod) {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let run = (0..<300).map { _ in
        Int.random(in: 0..<4, using: &random) == 0
          ? Double.random(in: 1...3000, using: &random) : Double.random(in: 760...840, using: &random)
      }
      let (collected, _) = CollectedIntervals.correcting([run], by: method)
      let covered: Double = collected.intervals.map(\.covered).reduce(0, +)
      let inRange: Double = run.filter { $0 >= 273 && $0 <= 2000 }.reduce(0, +)
      #expect(abs(covered - inRange) < 1e-6)
      #expect(collected.intervals.allSatisfy { $0.covered >= 0 })
    }
  }

  @Test func testNone_GivesTheSeriesAsItCame() {
    let run = Self.wild(5, count: 300)
    let (collected, findings) = CollectedIntervals.correcting([run], by: .none)
    #expect(collected.milliseconds == run)
    #expect(findings.counts.artifacts == 0)
  }

  @Test func testPositions_AreListedWhereTheyWereAskedFor() {
    #expect(ArtifactCorrector().findings.positions == nil)
    #expect(ArtifactCorrector(method: .malik).findings.positions == nil)
    #expect(ArtifactCorrector(listsPositions: true).findings.positions == [:])
  }
}

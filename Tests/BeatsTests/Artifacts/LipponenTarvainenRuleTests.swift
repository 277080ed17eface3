import TachogramCore
import Testing

@testable import Beats

struct LipponenTarvainenRuleTests {
  /// Beats in steps of 10 and 20 ms: 780, 790, 800, 790, 780, 800, 780, 790 … Around each beat the quartiles of the
  /// steps are 10 and 20 ms, so that Th1 is 5.2 × 5 = 26 ms.
  private static let base = (0..<200).map { [780.0, 790, 800, 790, 780, 800][$0 % 6] }

  private func correct(
    _ change: (inout [Double]) -> Void
  ) -> (collected: CollectedIntervals, findings: ArtifactFindings) {
    var intervals = Self.base
    change(&intervals)
    return CollectedIntervals.correcting([intervals], by: .lipponenTarvainen)
  }

  private func time(of interval: CorrectedInterval) -> Double {
    Double(interval.time.microseconds(since: MonotonicTime(microseconds: 0))) / 1000
  }

  // MARK: - Classes and repairs

  @Test func testEvenBreathing_IsNormal() {
    let (collected, findings) = correct { _ in }
    #expect(findings.counts.artifacts == 0)
    #expect(findings.positions == [:])
    #expect(collected.milliseconds == Self.base)
  }

  @Test func testStepAgainstBothItsNeighbours_IsEctopic() {
    // Given steps of −15, +30 and −25 ms, of which only the second is beyond Th1
    let (collected, findings) = correct {
      $0[100] -= 5
      $0[101] += 5
    }
    #expect(findings.positions == [.ectopic: [101]])
    // Then the beat between 805 and 780 ms lies in the middle
    #expect(collected.milliseconds[101...102] == [792.5, 792.5])
    #expect(collected.intervals[100...103].map(\.beatClass) == [.normal, .ectopic, .ectopic, .normal])
    #expect(collected.milliseconds[100] == 775)
  }

  @Test func testEarlyBeat_TakesItsPredecessorWithIt() {
    // Given a beat 200 ms early: the step before it is beyond Th1 as well, and taken back
    let (collected, findings) = correct {
      $0[100] -= 200
      $0[101] += 200
    }
    #expect(findings.positions == [.longShort: [100], .ectopic: [101]])
    // Then both beats are spread evenly between the sound ones
    let third = (Self.base[100] + Self.base[101] + Self.base[102]) / 3
    #expect(collected.milliseconds[100...102].allSatisfy { abs($0 - third) < 1e-9 })
    #expect(collected.intervals[100...102].map(\.beatClass) == [.longShort, .ectopic, .ectopic])
  }

  @Test func testMissedBeat_IsPutInTheMiddle() {
    // Given one beat taken out between two of 790 and 780 ms
    let (collected, findings) = correct { $0.replaceSubrange(100...101, with: [Self.base[100] + Self.base[101]]) }
    #expect(findings.positions == [.missed: [100]])
    #expect(findings.counts[.missed] == 1)
    let half = (Self.base[100] + Self.base[101]) / 2
    #expect(collected.milliseconds[100...101] == [half, half])
    #expect(collected.milliseconds.count == 200)
    #expect(collected.intervals[100...101].map(\.beatClass) == [.missed, .missed])
    #expect(collected.intervals[100...102].map(\.source) == [100, 100, 101])
    #expect(time(of: collected.intervals[101]) - time(of: collected.intervals[100]) == half)
  }

  @Test func testExtraBeat_IsTakenOut() {
    // Given a beat that was detected twice, 50 ms apart
    let (collected, findings) = correct { $0.replaceSubrange(100...100, with: [50, Self.base[100] - 50]) }
    #expect(findings.positions == [.extra: [100]])
    #expect(collected.milliseconds == Self.base)
    #expect(collected.intervals[100].beatClass == .extra)
    #expect(collected.intervals[100].source == 101)
  }

  @Test func testLongInterval_IsLongShort() {
    // Given one interval 300 ms longer than its neighbours, too short to be two of them
    let (collected, findings) = correct { $0[100] += 300 }
    #expect(findings.positions == [.longShort: [100]])
    // Then the beat that ends it lies in the middle of its neighbours
    let half = (Self.base[100] + 300 + Self.base[101]) / 2
    #expect(collected.milliseconds[100...101] == [half, half])
    #expect(collected.intervals[99...102].map(\.beatClass) == [.normal, .longShort, .longShort, .normal])
  }

  @Test func testStepOfExactlyTheThreshold_IsNormal() {
    // Given steps of 26 ms, which is Th1
    let (_, findings) = correct { intervals in for index in 100..<200 { intervals[index] += 16 } }
    #expect(findings.counts.artifacts == 0)
  }

  @Test func testSeriesWithoutSpread_IsNotJudged() {
    // Given one interval cut in a series of equal ones: both thresholds are 0, and no ratio to them exists
    var intervals = Array(repeating: 800.0, count: 200)
    intervals.replaceSubrange(100...100, with: [300, 500])
    let (collected, findings) = CollectedIntervals.correcting([intervals], by: .lipponenTarvainen)
    #expect(findings.counts.artifacts == 0)
    #expect(collected.milliseconds == intervals)
  }

  // MARK: - Repairs of what touches

  @Test func testMisplacedBeatsInARow_AreSpreadEvenly() {
    let intervals: [Double] = [800, 700, 900, 1000, 600, 800]
    let mended = BeatRepair.mended(intervals, [.normal, .ectopic, .longShort, .ectopic, .normal, .normal])
    #expect(mended.map(\.milliseconds) == [800, 800, 800, 800, 800, 800])
    #expect(mended.map(\.beatClass) == [.normal, .ectopic, .longShort, .ectopic, .ectopic, .normal])
    #expect(mended.map(\.shift) == [0, 100, 0, -200, 0, 0])
  }

  @Test func testMissedBeatBehindAMisplacedOne_KeepsTheOrder() {
    let mended = BeatRepair.mended([800, 900, 1600, 800], [.normal, .ectopic, .missed, .normal])
    // The beat in the middle of 1600 ms comes first; the one at 1700 ms is moved between it and the one at 800 ms.
    #expect(mended.map(\.milliseconds) == [800, 850, 850, 800, 800])
    #expect(mended.map(\.source) == [0, 1, 2, 2, 3])
    #expect(mended.map(\.beatClass) == [.normal, .ectopic, .missed, .missed, .normal])
  }

  @Test func testExtraBeatsInARow_AreJoinedToOne() {
    let mended = BeatRepair.mended([800, 200, 300, 300, 800], [.normal, .extra, .extra, .normal, .normal])
    #expect(mended.map(\.milliseconds) == [800, 800, 800])
    #expect(mended.map(\.beatClass) == [.normal, .extra, .normal])
    #expect(mended.map(\.source) == [0, 3, 4])
  }
}

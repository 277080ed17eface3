import TachogramCore
import Testing

@testable import Beats

struct NeighbourRuleTests {
  private func correct(
    _ intervals: [Double], by method: ArtifactMethod
  ) -> (milliseconds: [Double], positions: [BeatClass: [Int]]?) {
    let (collected, findings) = CollectedIntervals.correcting([intervals], by: method)
    return (collected.milliseconds, findings.positions)
  }

  @Test func testMalik_RejectsWhatDiffersFromThePredecessorByMoreThanAFifth() {
    // 960 is 20 % above 800, which is not more; 640 is a third below 960; 820 is 28 % above 640.
    let (mended, positions) = correct([800, 960, 640, 820, 800], by: .malik)
    #expect(positions == [.longShort: [2, 3]])
    let expected: [Double] = [800, 960, 960 - 160 / 3, 960 - 320 / 3, 800]
    #expect(mended.count == expected.count)
    #expect(zip(mended, expected).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func testMalik_AtTheEndOfARun_HoldsTheLastSoundInterval() {
    let (mended, positions) = correct([800, 810, 400], by: .malik)
    #expect(positions == [.longShort: [2]])
    #expect(mended == [800, 810, 810])
  }

  @Test func testKarlsson_RejectsWhatDiffersFromTheMeanOfBothNeighboursByMoreThanAFifth() {
    // 600 is 25 % below (790 + 810) / 2; 790 is 12 % above (800 + 600) / 2, and 810 16 % above (600 + 800) / 2.
    let (mended, positions) = correct([800, 790, 600, 810, 800], by: .karlsson)
    #expect(positions == [.longShort: [2]])
    #expect(mended == [800, 790, 800, 810, 800])
  }

  @Test func testKarlsson_KeepsADifferenceOfExactlyAFifth() {
    #expect(correct([500, 600, 500, 500], by: .karlsson).positions == [:])
    #expect(correct([500, 601, 500, 500], by: .karlsson).positions == [.longShort: [1]])
  }

  @Test func testKarlsson_KeepsBothEndsOfARun() {
    let (mended, positions) = correct([1200, 800, 800, 400], by: .karlsson)
    #expect(positions == [.longShort: [2]])
    #expect(mended == [1200, 800, 600, 400])
  }

  @Test func testRejectedAtBothEnds_TakesTheNextSoundInterval() {
    let mended = IntervalRepair.mended([500, 800, 900, 300], [.longShort, .normal, .normal, .longShort])
    #expect(mended.map(\.milliseconds) == [800, 800, 900, 900])
    #expect(IntervalRepair.mended([500, 600], [.longShort, .longShort]).map(\.milliseconds) == [500, 600])
  }
}

import TachogramCore
import Testing

@testable import tachogram_trials

/// A strap that sends a beat a second; what was lost of it, what was late, and which gaps are right then.
struct GapCheckTests {
  private static func time(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(microseconds: 1_000_000_000 + Int64(seconds * 1e6))
  }

  /// A session of 60 notifications, of which some were lost and some were handed over later than they were due.
  private struct Session {
    var lost: ClosedRange<Int>?
    /// Handed over with the last of them.
    var late: ClosedRange<Int>?
    /// The numbers from which a new link is used.
    var newLink: Int?
    /// How much later than handed over the numbers from this one on came, in seconds.
    var heldBack: (from: Int, seconds: Double)?

    var sendings: [TrialPlay.Sending] {
      (0..<60).map { number in
        let due = Double(number)
        let handed = late.map { $0.contains(number) ? Double($0.upperBound) : due } ?? due
        return TrialPlay.Sending(due: time(due), handed: time(handed))
      }
    }

    var arrivals: [GapCheck.Arrival] {
      sendings.enumerated().compactMap { number, sending in
        if lost?.contains(number) == true { return nil }
        var time = sending.handed
        if let heldBack, number >= heldBack.from {
          time = time.advanced(byMicroseconds: Int64(heldBack.seconds * 1e6))
        }
        return GapCheck.Arrival(number: number, time: time, link: newLink.map { number >= $0 ? 1 : 0 } ?? 0)
      }
    }

    func check(_ gaps: [(start: Double, end: Double)]) -> GapCheck {
      let gaps = gaps.enumerated().map { index, gap in
        BeatGap(
          sequence: Int64(index), start: time(gap.start), end: time(gap.end), reason: .lost, ledgerSequence: 0)
      }
      return GapCheck(arrivals, gaps: gaps, sendings: sendings)
    }
  }

  // MARK: - On time

  @Test func testNothingLost_NeedsNoGap() {
    let check = Session().check([])
    #expect(check.expected == 0 && check.faults.isEmpty)
  }

  @Test(arguments: [(9.0, 19.0, true), (9, 17.2, true), (9, 20.8, true), (9, 16.8, false), (9, 21.2, false)])
  func testLoss_NeedsAGapOfItsLength(start: Double, end: Double, isRight: Bool) {
    let check = Session(lost: 10...19).check([(start, end)])
    #expect(check.expected == 1 && check.right == (isRight ? 1 : 0))
    let link = Session(lost: 10...19, newLink: 20).check([(start, end)])
    #expect(link.expected == 1 && link.right == (isRight ? 1 : 0))
  }

  @Test func testLossWithoutAGap_IsWrong() {
    let check = Session(lost: 10...19).check([])
    #expect(check.expected == 1 && check.right == 0 && check.faults.count == 1)
  }

  @Test func testGapWhereNothingIsMissing_IsWrong() {
    #expect(Session().check([(30, 35)]).faults.count == 1)
    let check = Session(lost: 10...19).check([(9, 19), (30, 35)])
    #expect(check.expected == 2 && check.right == 1)
  }

  /// A notification that was three seconds late may look like a gap as long, and not like a longer one.
  @Test(arguments: [(3.0, true), (4.8, true), (5.2, false)])
  func testGapAsLongAsANotificationWasLate_IsRight(seconds: Double, isRight: Bool) {
    let check = Session(late: 20...23).check([(19, 19 + seconds)])
    #expect(check.faults.isEmpty == isRight)
  }

  // MARK: - Late

  @Test func testLateBurst_IsNoLoss() {
    let check = Session(late: 10...20).check([])
    #expect(check.expected == check.right && check.faults.isEmpty)
  }

  /// On one link a gap in a late burst is as wrong as anywhere; a new link begins behind one.
  @Test(arguments: [(nil, false), (10, true)] as [(Int?, Bool)])
  func testGapInALateBurst_IsRightOnlyForANewLink(newLink: Int?, isRight: Bool) {
    let check = Session(late: 10...20, newLink: newLink).check([(9, 19)])
    #expect(check.expected == 1 && check.right == (isRight ? 1 : 0))
  }

  /// Ten beats are lost, and the first one behind them comes eight seconds late with those that follow.
  @Test(arguments: [
    (9.0, 19.0, true), (9, 27, true), (9, 23, true), (9, 16.8, false), (9, 29.2, false), (9, 9, false),
  ])
  func testLossAndLateBurst_NeedAGapBetweenTheTwo(start: Double, end: Double, isRight: Bool) {
    let session = Session(lost: 10...19, late: 20...28, newLink: 20)
    let check = session.check(start == end ? [] : [(start, end)])
    #expect(check.expected == 1 && check.right == (isRight ? 1 : 0))
  }

  /// The player was in time: what came late was held back on the way, and no gap makes that right.
  @Test(arguments: [[], [(9.0, 14.0)]] as [[(Double, Double)]])
  func testLateArrivalOfAPlayerInTime_IsWrong(gaps: [(Double, Double)]) {
    let check = Session(heldBack: (from: 10, seconds: 5)).check(gaps.map { ($0.0, $0.1) })
    #expect(check.right == 0 && !check.faults.isEmpty)
  }

  @Test func testNumbers_AreReadFromValuesOverTheirRange() {
    var last = 0
    for number in [0, 1, 5, 40_000, 65_535, 65_536, 70_000, 131_072] {
      #expect(TrialPlay.number(of: TrialPlay.value(number), after: last) == number)
      last = number
    }
    #expect(TrialPlay.number(of: [0, 60], after: 3) == nil)
  }
}

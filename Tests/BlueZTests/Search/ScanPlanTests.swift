import TachogramCore
import Testing

@testable import BlueZ

struct ScanPlanTests {
  private static func time(_ seconds: Int64) -> MonotonicTime { MonotonicTime(microseconds: seconds * 1_000_000) }

  /// The way at each of these seconds of one search.
  private func ways(_ plan: inout ScanPlan, at seconds: [Int64]) -> [ScanMode] {
    seconds.map { second in
      plan.advance(to: Self.time(second))
      return plan.way
    }
  }

  @Test func testNothingOffered_IsActiveForGood() {
    var plan = ScanPlan()
    plan.begin(at: Self.time(0), isOffered: false)
    #expect(ways(&plan, at: [0, 9, 10, 1000]) == [.active, .active, .active, .active])
    #expect(plan.turnsAt == nil)
  }

  @Test func testNothingFound_LooksEverMoreRarely() {
    var plan = ScanPlan()
    plan.begin(at: Self.time(0), isOffered: true)
    #expect(
      ways(&plan, at: [0, 9, 10, 19, 20, 39, 40, 50]) == [
        .passive, .passive, .active, .active, .passive, .passive, .active, .passive,
      ])
    var turns: [Int64] = []
    var now = Self.time(50)
    while turns.count < 14, let turn = plan.turnsAt {
      turns.append(turn.microseconds(since: now) / 1_000_000)
      now = turn
      plan.advance(to: now)
    }
    #expect(turns == [40, 10, 80, 10, 160, 10, 320, 10, 320, 10, 320, 10, 320, 10])
  }

  @Test func testAnotherStrap_BeginsAnew() {
    var plan = ScanPlan()
    plan.begin(at: Self.time(0), isOffered: true)
    _ = ways(&plan, at: [10, 20, 40])
    plan.begin(at: Self.time(45), isOffered: true)
    #expect(plan.way == .passive && plan.turnsAt == Self.time(55))
  }

  @Test func testRefusal_CountsForAWhile() {
    var plan = ScanPlan()
    plan.begin(at: Self.time(0), isOffered: true)
    plan.refused(at: Self.time(1))
    #expect(plan.way == .active && plan.turnsAt == nil)
    plan.begin(at: Self.time(600), isOffered: true)
    #expect(plan.way == .active)
    plan.begin(at: Self.time(601), isOffered: true)
    #expect(plan.way == .passive)
    plan.refused(at: Self.time(602))
    plan.forget()
    plan.begin(at: Self.time(603), isOffered: true)
    #expect(plan.way == .passive)
  }

  @Test func testStrapsThatOnlyALookFinds_MakePassiveDeaf() {
    var plan = ScanPlan()
    for strap in 0..<2 {
      let start = Int64(strap) * 100
      plan.begin(at: Self.time(start), isOffered: true)
      #expect(ways(&plan, at: [start, start + 10]) == [.passive, .active])
      plan.found()
    }
    plan.begin(at: Self.time(200), isOffered: true)
    #expect(plan.way == .active && plan.turnsAt == nil)
    plan.forget()
    plan.begin(at: Self.time(300), isOffered: true)
    #expect(plan.way == .passive)
  }

  @Test func testOneThatWasHeard_ShowsThatPassiveIsNotDeaf() {
    var plan = ScanPlan()
    for strap in 0..<6 {
      let start = Int64(strap) * 100
      plan.begin(at: Self.time(start), isOffered: true)
      #expect(plan.way == .passive)
      if strap.isMultiple(of: 2) { plan.advance(to: Self.time(start + 10)) }
      plan.found()
    }
  }
}

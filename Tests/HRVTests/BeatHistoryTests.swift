import TachogramCore
import TachogramTestKit
import Testing

@testable import HRV

struct BeatHistoryTests {
  private static func slot(_ time: Int64) -> BeatHistory.Slot {
    BeatHistory.Slot(
      time: MonotonicTime(microseconds: time), milliseconds: 800, sumsBefore: TimeDomainAccumulator(),
      uncoveredBefore: 0, artifactsBefore: 0, surplusBefore: 0, followsGap: false, isGap: false)
  }

  /// Beats of every rhythm, among them many at once and long pauses: those of the span are there in their order, unless
  /// they are more than the capacity.
  @Test(arguments: 1...40)
  func testBeats_AreTheLastOnesOfTheSpan(capacity: Int) {
    let span: Int64 = 20
    var history = BeatHistory(span: span, capacity: capacity)
    #expect(history.lastTime == nil)
    var random = SplitMix64(seed: UInt64(capacity))
    var times: [Int64] = []
    for _ in 0..<400 {
      let step = [0, 1, 1, 1, 2, 3, 7, 30][Int(random.next() % 8)]
      times.append((times.last ?? 0) + Int64(step))
      let last = times[times.count - 1]
      history.append(Self.slot(last))
      let expected = Array(times.filter { $0 > last - span }.suffix(capacity))
      let found = (0..<history.count).map { history[$0].time.microseconds }
      #expect(Array(found.suffix(expected.count)) == expected)
      #expect(found == Array(times.suffix(found.count)))
      #expect(history.lastTime?.microseconds == last)
      #expect(history.firstPosition(after: MonotonicTime(microseconds: last - span)) == found.count - expected.count)
    }
  }

  @Test
  func testMemory_FollowsWhatTheSpanHoldsAndStays() {
    var history = BeatHistory(span: 300, capacity: 2048)
    for time in 0..<10_000 { history.append(Self.slot(Int64(time))) }
    #expect(history.count == 300)
    #expect(history.allocated == 512)
    // Four beats where there was one.
    for time in 40_000..<80_000 { history.append(Self.slot(Int64(time / 4))) }
    #expect(history.count == 1200)
    #expect(history.allocated == 2048)
  }
}

import TachogramCore
import Testing

@testable import HRV

struct BeatHistoryTests {
  private static func slot(_ number: Int) -> BeatHistory.Slot {
    BeatHistory.Slot(
      time: MonotonicTime(microseconds: Int64(number)), milliseconds: 800, sumsBefore: TimeDomainAccumulator(),
      artifactsBefore: 0, followsGap: false)
  }

  /// Every capacity with every slot to begin in: the last beats are there in their order, in no more memory than they need.
  @Test(arguments: 1...9)
  func testBeats_AreTheLastOnesAndTakeTheMemoryOfThem(capacity: Int) {
    for startSlot in 0..<capacity {
      var history = BeatHistory(capacity: capacity, startSlot: startSlot)
      #expect(history.lastTime == nil)
      for number in 0..<3 * capacity {
        history.append(Self.slot(number))
        let count = min(number + 1, capacity)
        #expect(history.count == count)
        #expect(history.allocated == min(startSlot + number + 1, capacity))
        let times = (0..<count).map { Int(history[$0].time.microseconds) }
        #expect(times == Array(number + 1 - count...number))
        #expect(history.lastTime?.microseconds == Int64(number))
      }
    }
  }
}

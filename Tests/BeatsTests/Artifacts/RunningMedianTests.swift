import TachogramTestKit
import Testing

@testable import Beats

struct RunningMedianTests {
  @Test func testSlidingWindow_GivesWhatSortingGives() {
    var random = SplitMix64(seed: 3)
    let values = (0..<2000).map { _ in Double(Int.random(in: 0...50, using: &random)) }
    var median = RunningMedian(capacity: 92)
    for (index, value) in values.enumerated() {
      median.insert(value)
      if index >= 91 { median.remove(values[index - 91]) }
      let sorted = values[max(0, index - 90)...index].sorted()
      let middle = sorted.count / 2
      let expected = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
      #expect(median.median == expected)
    }
    median.removeAll()
    #expect(median.median == nil)
  }
}

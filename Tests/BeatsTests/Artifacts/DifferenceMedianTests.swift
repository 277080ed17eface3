import TachogramTestKit
import Testing

@testable import Beats

struct DifferenceMedianTests {
  @Test(arguments: [1, 2, 5, 46, 90, 91])
  func testCounting_TellsWhatTheMedianDoes(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    for _ in 0..<200 {
      // Few values, so that many are equal.
      let values = (0..<count).map { _ in Double(Int.random(in: 0...8, using: &random)) }
      let sorted = values.sorted()
      let expected = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
      #expect(DifferenceMedian.of(values.span) == expected)
      for bound in stride(from: -0.5, through: 8.5, by: 0.5) {
        #expect(DifferenceMedian.of(values.span) { $0 - bound } == (expected < bound))
      }
    }
  }

  @Test func testNoDifferences_HaveAMedianOfZero() {
    let none: [Double] = []
    #expect(DifferenceMedian.of(none.span) == 0)
    #expect(DifferenceMedian.of(none.span) { $0 - 1 })
  }
}

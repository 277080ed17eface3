import TachogramTestKit
import Testing

@testable import Beats

struct SortedWindowTests {
  @Test func testSlidingWindow_GivesWhatSortingGives() {
    var random = SplitMix64(seed: 3)
    let values = (0..<2000).map { _ in Double(Int.random(in: 0...50, using: &random)) }
    var median = SortedWindow(capacity: 92)
    for (index, value) in values.enumerated() {
      median.insert(value)
      if index >= 91 { median.remove(values[index - 91]) }
      let sorted = values[max(0, index - 90)...index].sorted()
      let middle = sorted.count / 2
      let expected = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
      #expect(median.median == expected)
    }
  }

  @Test func testNoValues_HaveNoMedian() {
    #expect(SortedWindow(capacity: 4).median == nil)
  }

  @Test func testQuartiles_AreInterpolated() {
    var window = SortedWindow(capacity: 4)
    #expect(window.quartileDeviation == nil)
    for value in [4.0, 1, 3, 2] { window.insert(value) }
    // Q1 = 1.75, Q3 = 3.25
    #expect(window.quartileDeviation == 0.75)
  }

  @Test func testMeasures_ShrinkTheWindowAtBothEnds() {
    #expect(SortedWindow.measures(around: [5, 1, 9, 3, 7], reach: 1, \.median) == [3, 5, 3, 7, 5])
    #expect(SortedWindow.measures(around: [5, 1, 9], reach: 5, \.median) == [5, 5, 5])
    #expect(SortedWindow.measures(around: [], reach: 5, \.median).isEmpty)
  }

  private func median(_ left: [Double], _ right: [Double]) -> Double? {
    NeighbourMedian.of(left.span, right.span)
  }

  @Test func testNeighbours_AreSortedByTheNetworkAsByInsertion() {
    // A network that sorts all zeros and ones sorts everything.
    for pattern in 0..<1024 {
      let values = (0..<10).map { Double(pattern >> $0 & 1) }
      let sorted = values.sorted()
      #expect(median(Array(values[0..<5]), Array(values[5..<10])) == (sorted[4] + sorted[5]) / 2)
    }
    #expect(median([5, 1, 9], []) == 5)
    #expect(median([5, 1, 9], [5]) == 5)
    #expect(median([], []) == nil)
  }
}

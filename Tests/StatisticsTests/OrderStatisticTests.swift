import Statistics
import TachogramTestKit
import Testing

struct OrderStatisticTests {
  private static func pattern(_ name: String, count: Int) -> [Double] {
    var random = SplitMix64(seed: UInt64(count))
    switch name {
    case "rising": return (0..<count).map(Double.init)
    case "falling": return (0..<count).map { Double(count - $0) }
    case "alike": return Array(repeating: 7, count: count)
    case "few values": return (0..<count).map { _ in Double(random.next() % 3) }
    case "organ pipe": return (0..<count).map { Double(min($0, count - $0)) }
    case "bad pivots":
      // Musser 1997 (Software: Practice and Experience 27:983–993): medians of three are among the least, round after round.
      let half = count / 2
      return (0..<count).map { place in
        if place >= half { return Double(2 * (place - half + 1)) }
        return Double(place.isMultiple(of: 2) ? place + 1 : half + place)
      }
    default: return (0..<count).map { _ in random.unit() }
    }
  }

  @Test(arguments: ["rising", "falling", "alike", "few values", "organ pipe", "bad pivots", "random"])
  func testSelect_GivesWhatSortingGives(name: String) {
    for count in [1, 2, 3, 4, 5, 8, 91, 1000] {
      let values = Self.pattern(name, count: count)
      let sorted = values.sorted()
      for place in Set([0, count / 3, count / 2, count - 1]) {
        var moved = values
        #expect(OrderStatistic.select(place, of: &moved) == sorted[place], "\(name), \(place) of \(count)")
        #expect(moved.sorted() == sorted)
        #expect(
          moved[..<place].allSatisfy { $0 <= sorted[place] } && moved[place...].allSatisfy { $0 >= sorted[place] })
      }
    }
  }
}

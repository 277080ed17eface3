import TachogramCore
import Testing

@testable import Dashboard

@Suite("Failed tokens")
struct FailedTokensTests {
  private static func second(_ second: Double) -> MonotonicTime {
    MonotonicTime(microseconds: Int64(second * 1_000_000))
  }

  @Test func testTenWrongTokensWithinAMinute_CostAMinute() {
    var tokens = FailedTokens()
    for second in 0..<9 { tokens.add("a", at: Self.second(Double(second))) }
    #expect(!tokens.isBarred("a", at: Self.second(9)))
    tokens.add("a", at: Self.second(30))
    #expect(tokens.isBarred("a", at: Self.second(30)))
    #expect(tokens.isBarred("a", at: Self.second(89.9)))
    #expect(!tokens.isBarred("b", at: Self.second(31)))
    #expect(!tokens.isBarred("a", at: Self.second(90)))
    tokens.add("a", at: Self.second(91))
    #expect(!tokens.isBarred("a", at: Self.second(91)))
  }

  @Test func testSlowGuesses_AreNotBarred() {
    var tokens = FailedTokens()
    for second in stride(from: 0.0, to: 3600, by: 7) {
      #expect(!tokens.isBarred("a", at: Self.second(second)))
      tokens.add("a", at: Self.second(second))
    }
  }

  @Test func testRightToken_Forgives() {
    var tokens = FailedTokens()
    for _ in 0..<10 { tokens.add("a", at: Self.second(0)) }
    #expect(tokens.isBarred("a", at: Self.second(1)))
    tokens.forget("a")
    #expect(!tokens.isBarred("a", at: Self.second(1)))
  }

  @Test func testManyPlaces_FillNoMemory() {
    var tokens = FailedTokens()
    for place in 0..<5000 { tokens.add("place \(place)", at: Self.second(Double(place) / 1000)) }
    for _ in 0..<10 { tokens.add("late", at: Self.second(6)) }
    #expect(tokens.isBarred("late", at: Self.second(6)))
    #expect(tokens.count <= 1000)
  }
}

import Testing

@testable import Station

@Suite("Time spans")
struct TimeSpanTests {
  @Test(arguments: [("1s", 1), ("90s", 90), ("30m", 1800), ("8h", 28_800), ("365d", 31_536_000)] as [(String, Int64)])
  func testText_IsRead(text: String, seconds: Int64) {
    #expect(TimeSpan(text: text)?.seconds == seconds)
  }

  @Test(arguments: ["", "s", "0s", "-1s", "+1s", "1", "1.5h", "1 h", "36526d", "99999999999999999999s", "1w", "١s"])
  func testNonsense_IsRefused(text: String) {
    #expect(TimeSpan(text: text) == nil)
  }

  @Test(arguments: [(60, "1m"), (90, "90s"), (3600, "1h"), (172_800, "2d")] as [(Int64, String)])
  func testText_IsOfTheLargestUnit(seconds: Int64, text: String) {
    #expect(TimeSpan(seconds: seconds).text == text)
    #expect(TimeSpan(text: text)?.seconds == seconds)
  }
}

import Testing

@testable import Glances

struct GlanceTrendTests {
  /// Levels of 72 places from one level to another.
  private func ramp(_ from: Double, _ to: Double, places: Int = 72) -> [Double?] {
    (0..<places).map { from + (to - from) * Double($0) / Double(places - 1) }
  }

  @Test(arguments: [
    (30.0, 40.1, GlanceTrend.Direction.rising), (30, 39.9, .steady), (30, 30, .steady), (40, 30.1, .steady),
    (40, 29.9, .falling), (0, 100, .rising), (100, 0, .falling),
  ])
  func testChange_DecidesTheDirection(from: Double, to: Double, direction: GlanceTrend.Direction) throws {
    let trend = try #require(GlanceTrend(ramp(from, to)))
    #expect(trend.direction == direction)
    #expect(abs(trend.change - (to - from)) < 1e-9)
    #expect(abs(trend.hours - 71.0 / 12) < 1e-9)
  }

  @Test func testFewPoints_HaveNoTrend() {
    // 11 points over 5 hours and 55 minutes.
    var levels = [Double?](repeating: nil, count: 72)
    for place in [0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 71] { levels[place] = Double(place) }
    #expect(GlanceTrend(levels) == nil)
    levels[5] = 5
    #expect(GlanceTrend(levels)?.direction == .rising)
    #expect(GlanceTrend([]) == nil)
  }

  @Test func testShortStretch_HasNoTrend() {
    let gap = [Double?](repeating: nil, count: 100)
    #expect(GlanceTrend(gap + ramp(0, 50, places: 24)) == nil, "1 h 55 min")
    #expect(GlanceTrend(gap + ramp(0, 50, places: 25))?.hours == 2)
  }

  @Test func testPartOfTheTime_IsNotExtrapolated() throws {
    // 9 levels in 2 hours are 27 in 6 hours, but nobody knows that.
    let trend = try #require(GlanceTrend(ramp(20, 29, places: 25)))
    #expect(trend.direction == .steady)
    #expect(abs(trend.change - 9) < 1e-9)
  }

  @Test func testOutliers_DoNotMatter() throws {
    var levels = ramp(50, 50)
    for place in 60..<72 { levels[place] = 100 }
    #expect(try #require(GlanceTrend(levels)).direction == .steady)
  }

  @Test func testOlderPoints_AreIgnored() throws {
    let trend = try #require(GlanceTrend(ramp(100, 100, places: 216) + ramp(20, 20)))
    #expect(trend.direction == .steady)
    #expect(abs(trend.change) < 1e-9)
  }
}

import TachogramCore
import Testing

@testable import Glances

struct GlanceSummaryTests {
  private func summary(_ points: [GlancePoint], at time: WallTime = GlanceSample.now) -> GlanceSummary {
    GlanceSummary(
      GlanceContent(
        name: nil, reading: nil, isConnected: true, points: points, time: time, clock: GlanceClock(utcOffset: 0)))
  }

  private func point(_ secondsAgo: Int64, _ level: Double?, _ rate: Double? = nil) -> GlancePoint {
    GlancePoint(time: GlanceSample.ago(secondsAgo), heartRate: rate, stressLevel: level)
  }

  @Test func testPoints_AreOnTheGrid() {
    // Given: 16:41:30 is in the place from 16:40; 90 s ago is its beginning.
    let points = [point(0, 10), point(90, 30), point(91, 50), point(300, 70, 60)]
    // When
    let summary = summary(points)
    // Then: two points of one place are averaged.
    #expect(summary.stressLevels.count == 288)
    #expect(summary.stressLevels[287] == 20)
    #expect(summary.stressLevels[286] == 60)
    #expect(summary.heartRates[286] == 60)
    #expect(summary.heartRates[287] == nil)
    #expect(summary.stressLevels[..<286].allSatisfy { $0 == nil })
    #expect(Timestamp.text(summary.time(of: 287)) == "2026-03-28T16:40:00.000Z")
    #expect(Timestamp.text(summary.start) == "2026-03-27T16:45:00.000Z")
  }

  @Test func testPointsOfOtherTimes_AreIgnored() {
    let summary = summary([point(-1, 90), point(86_400, 80), point(86_400 - 300 + 90, 40)])
    #expect(summary.stressLevels.compactMap { $0 } == [40])
    #expect(summary.stressLevels[0] == 40)
  }

  @Test func testRanges_IgnoreGaps() throws {
    let summary = summary([point(0, 10, 50), point(600, 20, nil), point(1200, 60, 90)])
    let (level, rate) = (try #require(summary.stressLevel), try #require(summary.heartRate))
    #expect((level.average, level.minimum, level.maximum) == (30, 10, 60))
    #expect((rate.average, rate.minimum, rate.maximum) == (70, 50, 90))
    #expect(summary.trend == nil)
  }

  @Test func testNoPoints_HaveNoRanges() {
    let summary = summary([])
    #expect(summary.stressLevel == nil && summary.heartRate == nil && summary.trend == nil)
  }

  @Test(arguments: [.nan, .infinity, -.infinity, -1, 100.5]) func testInvalidLevels_AreAbsent(_ level: Double) {
    #expect(point(0, level).stressLevel == nil)
    #expect(GlanceStress(level: level, confidence: 1) == nil || level.isFinite)
  }

  @Test(arguments: [.nan, .infinity, 0, -1, 400, 65_535]) func testInvalidHeartRates_AreAbsent(_ rate: Double) {
    #expect(point(0, nil, rate).heartRate == nil)
    #expect(GlanceReading(time: GlanceSample.now, heartRate: rate, isCurrent: true).heartRate == nil)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max]) func testAnyTime_IsRendered(_ microseconds: Int64) throws {
    // Given
    let time = WallTime(microseconds: microseconds)
    let reading = GlanceReading(time: WallTime(microseconds: -(microseconds / 2)), heartRate: 60, isCurrent: true)
    let glance = Glance(
      GlanceContent(
        name: nil, reading: reading, isConnected: true, points: [GlancePoint(time: time, heartRate: 60)], time: time,
        clock: GlanceClock(utcOffset: .min)))
    // When
    for family in GlanceFamily.allCases {
      for form in GlanceForm.allCases { #expect(try !glance.text(family, form).isEmpty) }
    }
    // Then
    #expect(glance.summary.heartRates[287] == 60 || microseconds == .min)
  }
}

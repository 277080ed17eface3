import TachogramCore
import Testing

@testable import Glances

struct GlanceClockTests {
  private func time(_ text: String) throws -> WallTime { try #require(Timestamp.time(text)) }

  @Test func testClock_ShowsLocalTime() throws {
    let time = try time("2026-03-28T23:05:59Z")
    #expect(GlanceClock(utcOffset: 0).text(time) == "23:05")
    #expect(GlanceClock(utcOffset: 3600).text(time) == "00:05")
    #expect(GlanceClock(utcOffset: 20_700).text(time) == "04:50")
    #expect(GlanceClock(utcOffset: -34_200).text(time) == "13:35")
    #expect(GlanceClock(utcOffset: .max).utcOffset == 64_800)
  }

  @Test func testOldTimes_AreDays() throws {
    let (clock, now) = (GlanceClock(utcOffset: 3600), try time("2026-03-28T16:41:30Z"))
    #expect(clock.text(try time("2026-03-27T16:41:31Z"), asOf: now) == "17:41")
    #expect(clock.text(try time("2026-03-27T16:41:30Z"), asOf: now) == "27 Mar")
    #expect(clock.text(try time("2026-01-31T23:30:00Z"), asOf: now) == "1 Feb")
    #expect(clock.text(try time("2025-07-01T00:00:00Z"), asOf: now) == "2025")
  }

  @Test func testClockChange_IsFound() throws {
    // Given: in Berlin, the clock goes from 02:00 to 03:00 on 2026-03-29, at 01:00 UTC.
    let change = try time("2026-03-29T01:00:00Z")
    let clock = GlanceClock(until: try time("2026-03-29T10:12:13.5Z")) { $0 < change ? 3600 : 7200 }
    // Then
    #expect(clock.utcOffset == 7200)
    #expect(clock.text(try time("2026-03-29T00:59:58Z")) == "01:59")
    #expect(clock.text(change) == "03:00")
    #expect(clock.text(try time("2026-03-28T12:00:00Z")) == "13:00")
  }

  @Test func testAxis_HasLocalHours() throws {
    // Given: Nepal is 5 h 45 min east of UTC; 16:41 UTC is 22:26 there.
    let content = GlanceContent(
      name: nil, reading: nil, isConnected: true, points: [], time: GlanceSample.now,
      clock: GlanceClock(utcOffset: 20_700))
    let summary = GlanceSummary(content)
    // When
    let day = GlanceTimeAxis(summary, clock: content.clock, hours: 24, step: 6).ticks
    let hours = GlanceTimeAxis(summary, clock: content.clock, hours: 6, step: 2).ticks
    // Then
    #expect(day.map(\.text) == ["00:00", "06:00", "12:00", "18:00"])
    #expect(hours.map(\.text) == ["18:00", "20:00", "22:00"])
    // The last place begins at 22:25, five places after 22:00.
    #expect(hours.last?.place == 66)
  }
}

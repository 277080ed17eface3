import Foundation
import Stress
import TachogramCore
import Testing

struct MorningReadingTests {
  private func readings(_ windows: [PlacedWindow], zone: String = "UTC") throws -> [Double] {
    var selection = MorningReadingSelection(timeZone: try StressScript.zone(zone))
    for window in windows { selection.take(window) }
    var backwards = MorningReadingSelection(timeZone: try StressScript.zone(zone))
    for window in windows.reversed() { backwards.take(window) }
    #expect(selection.readings == backwards.readings)
    return selection.readings.map(\.lnRMSSD)
  }

  /// A window of the morning; `minute` is when it ends, in minutes since 07:00 UTC.
  private func window(
    _ value: Double?, minute: Double, length: Int = 300, session: String = "a", sessionStart: Double = 60,
    coverage: Double = 1, filled: Double = 1, artifactShare: Double = 0,
  ) throws -> PlacedWindow {
    StressScript.window(
      endingAt: try StressScript.utc("2026-03-01", hour: 7 + minute / 60), length: length, session: session,
      sessionStart: sessionStart, coverage: coverage, filled: filled, artifactShare: artifactShare,
      values: StressScript.lnRMSSD(value))
  }

  // MARK: - Which window

  @Test func testFirstWindowOfTheMorning_IsItsReading() throws {
    #expect(try readings([window(4, minute: 6), window(3, minute: 5), window(5, minute: 7)]) == [3])
  }

  @Test func testLongerWindow_IsPreferredWithinASession() throws {
    let short = try [window(1, minute: 1, length: 60), window(2, minute: 2, length: 120)]
    #expect(try readings(short + [window(3, minute: 5), window(4, minute: 6)]) == [3])
    #expect(try readings(short) == [2])
    #expect(try readings([short[0]]) == [1])
    #expect(try readings([window(1, minute: 1, length: 30)]).isEmpty)
  }

  @Test func testEarliestSessionWithAWindow_IsPreferred() throws {
    let early = try window(1, minute: 2, length: 60, session: "b", sessionStart: 3)
    let late = try window(2, minute: 30, session: "a", sessionStart: 10)
    #expect(try readings([late, early]) == [1])
    let unusable = try window(3, minute: 1, session: "c", sessionStart: 50, artifactShare: 0.06)
    #expect(try readings([late, unusable]) == [2])
  }

  @Test func testLimits_AreInclusive() throws {
    #expect(try readings([window(4, minute: 5, coverage: 0.8, artifactShare: 0.05)]) == [4])
    #expect(try readings([window(4, minute: 5, filled: 0.8)]) == [4])
    #expect(try readings([window(4, minute: 5, coverage: 0.799)]).isEmpty)
    #expect(try readings([window(4, minute: 5, artifactShare: 0.051)]).isEmpty)
    #expect(try readings([window(nil, minute: 5)]).isEmpty)
  }

  /// One minute into a session the 5-minute window is covered, as far as the session goes.
  @Test func testWindowOfASessionThatHasJustBegun_DoesNotCount() throws {
    #expect(try readings([window(4, minute: 1, filled: 0.2)]).isEmpty)
  }

  // MARK: - When

  /// Where a 5-minute window must end to count; on 2026-03-29 the clocks of Berlin go from 02:00 to 03:00 at 01:00 UTC.
  @Test(arguments: [
    ("UTC", "2026-03-28", 3 * 60 + 5, true), ("UTC", "2026-03-28", 3 * 60 + 4, false),
    ("UTC", "2026-03-28", 12 * 60, true), ("UTC", "2026-03-28", 12 * 60 + 1, false),
    ("Europe/Berlin", "2026-03-28", 2 * 60 + 5, true), ("Europe/Berlin", "2026-03-28", 2 * 60 + 4, false),
    ("Europe/Berlin", "2026-03-29", 60 + 5, true), ("Europe/Berlin", "2026-03-29", 60 + 4, false),
    ("Europe/Berlin", "2026-03-29", 10 * 60, true), ("Europe/Berlin", "2026-03-29", 10 * 60 + 1, false),
    ("Asia/Kolkata", "2026-03-28", 21 * 60 + 35, true), ("Asia/Kolkata", "2026-03-28", 21 * 60 + 34, false),
  ])
  func testMorning_IsFromThreeToTwelveByTheClock(zone: String, day: String, minute: Int, counts: Bool) throws {
    let end = try StressScript.utc(day, hour: Double(minute) / 60)
    let window = StressScript.window(endingAt: end, values: StressScript.lnRMSSD(4))
    #expect(try readings([window], zone: zone).count == (counts ? 1 : 0))
  }

  @Test func testNightOverTwoDays_HasAReadingOfEach() throws {
    let windows = try ["2026-03-01", "2026-03-02"].map { day in
      StressScript.window(
        endingAt: try StressScript.utc(day, hour: 4), sessionStart: day == "2026-03-01" ? 60 : 25 * 60,
        values: StressScript.lnRMSSD(day == "2026-03-01" ? 3 : 4))
    }
    #expect(try readings(windows) == [3, 4])
  }
}

import Foundation
import Stress
import TachogramCore
import Testing

struct MorningReadingTests {
  private func readings(_ windows: [PlacedWindow], zone: String = "UTC") throws -> [Double] {
    var selection = MorningReadingSelection(timeZone: try StressScript.zone(zone))
    for window in windows { selection.append(window) }
    var backwards = MorningReadingSelection(timeZone: try StressScript.zone(zone))
    for window in windows.reversed() { backwards.append(window) }
    #expect(selection.readings == backwards.readings)
    #expect(selection.readings == (try skipping(windows, zone)).readings)
    return selection.readings.map(\.lnRMSSD)
  }

  /// The readings where what cannot change them is left out, as a reader of the database does, and how many were taken.
  private func skipping(_ windows: [PlacedWindow], _ zone: String) throws -> (readings: [MorningReading], taken: Int) {
    var selection = MorningReadingSelection(timeZone: try StressScript.zone(zone))
    var taken = 0
    for length in MorningReadingSelection.lengths {
      let sessions = Dictionary(grouping: windows.filter { $0.window.length == length }, by: \.sessionID)
      for own in sessions.values.sorted(by: { $0[0].sessionStart < $1[0].sessionStart }) {
        var next = WallTime(microseconds: .min)
        for window in own.sorted(by: { $0.end < $1.end }) where window.end >= next {
          selection.append(window)
          taken += 1
          next = selection.nextEnd(after: window) ?? next
        }
      }
    }
    return (selection.readings, taken)
  }

  /// A window of the morning; `minute` is when it ends, in minutes since 07:00 UTC.
  private func window(
    _ value: Double?, minute: Double, length: WindowLength = .fiveMinutes, session: String = "a",
    sessionStart: Double = 60,
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

  // MARK: - What need not be read

  /// Four days around a change of clocks: a session without an end, and one each night, some of whose windows do not count.
  @Test(arguments: ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/New_York", "Asia/Kolkata"])
  func testWindowsThatChangeNothing_AreMostlyLeftOut(zone: String) throws {
    var windows: [PlacedWindow] = []
    let day = try StressScript.utc(zone == "America/New_York" ? "2026-03-06" : "2026-03-27", hour: 0)
    func add(_ session: String, _ minutes: Range<Int>, from first: Int) {
      for minute in minutes {
        for length in MorningReadingSelection.lengths {
          // The first half hour of each session, and each third window, is full of artifacts.
          let isBad = minute < minutes.lowerBound + 30 || minute % 3 == 0
          windows.append(
            StressScript.window(
              endingAt: day.addingTimeInterval(Double(minute) * 60), length: length, session: session,
              sessionStart: Double(minute - first), artifactShare: isBad ? 0.5 : 0,
              values: StressScript.lnRMSSD(Double(minute) / 1000 + Double(length.seconds) / 10)))
        }
      }
    }
    add("whole", 2_000..<5_760, from: 2_000)
    for night in 0..<4 { add("night \(night)", night * 1_440..<night * 1_440 + 700, from: night * 1_440) }
    let found = try skipping(windows, zone)
    #expect(try readings(windows, zone: zone) == found.readings.map(\.lnRMSSD))
    #expect(found.readings.count >= 4)
    #expect(found.taken < windows.count / 4)
  }
}

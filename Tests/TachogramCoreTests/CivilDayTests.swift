import Foundation
import TachogramCore
import Testing

struct CivilDayTests {
  @Test(arguments: [
    ("1970-01-01", Int64(0)), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-03-29", 20_541),
    ("2100-03-01", 47_541), ("0000-03-01", -719_468),
  ])
  func testDay_HasItsNumber(text: String, number: Int64) throws {
    #expect(try #require(CivilDay(text: text)).number == number)
    #expect(CivilDay(number: number).text == text)
  }

  @Test(arguments: [
    "", "2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-04-00", "2026-4-01", "26-04-01", "2026/04/01",
    "2026-04-01 ", "+026-04-01", "2026-04-01-", "٢٠٢٦-٠٤-٠١",
  ])
  func testTextThatIsNoDay_IsRefused(text: String) {
    #expect(CivilDay(text: text) == nil)
  }

  @Test func testEveryDayOfFourCenturies_ComesBack() {
    let wrong = (0..<146_097).filter { CivilDay(text: CivilDay(number: $0).text)?.number != $0 }
    #expect(wrong.isEmpty)
  }

  /// The start in hours of UTC since 00:00 of that day; in Beirut the clocks skipped midnight.
  @Test(arguments: [
    ("UTC", "2026-03-29", 0.0), ("Europe/Berlin", "2026-03-29", -1), ("Europe/Berlin", "2026-03-30", -2),
    ("Europe/Berlin", "2026-10-25", -2), ("Europe/Berlin", "2026-10-26", -1), ("Asia/Kolkata", "2026-03-29", -5.5),
    ("Pacific/Kiritimati", "2026-03-29", -14), ("America/New_York", "2026-03-08", 5), ("Asia/Beirut", "2022-03-27", -2),
  ])
  func testStart_IsTheFirstInstantOfTheDay(zone: String, text: String, hours: Double) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let day = try #require(CivilDay(text: text))
    let start = day.start(in: zone)
    #expect(start.timeIntervalSince1970 == Double(day.number) * 86_400 + hours * 3600)
    #expect(LocalTime(of: start, in: zone).day == day)
    #expect(LocalTime(of: start - 1, in: zone).day == day.advanced(by: -1))
  }
}

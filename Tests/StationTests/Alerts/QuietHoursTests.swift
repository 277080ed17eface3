import TachogramCore
import Testing

@testable import Station

@Suite("Quiet hours")
struct QuietHoursTests {
  @Test(arguments: [
    ("22:00-07:00", "21:59", false), ("22:00-07:00", "22:00", true), ("22:00-07:00", "00:00", true),
    ("22:00-07:00", "06:59", true), ("22:00-07:00", "07:00", false), ("13:00-14:30", "14:29", true),
    ("13:00-14:30", "14:30", false), ("13:00-14:30", "12:59", false), ("00:00-23:59", "23:59", false),
  ])
  func testHours_MayIncludeMidnight(hours: String, time: String, isQuiet: Bool) throws {
    let parts = time.split(separator: ":").compactMap { Double($0) }
    let quiet = try #require(QuietHours(text: hours))
    #expect(quiet.contains(parts[0] * 3600 + parts[1] * 60) == isQuiet)
    #expect(quiet.contains(parts[0] * 3600 + parts[1] * 60 + 59.999) == isQuiet)
  }

  @Test(arguments: [
    "", "22:00", "22-7", "22:00-22:00", "24:00-07:00", "22:60-07:00", "22:00-07:00-08:00", "a2:00-07:00", "-",
  ])
  func testOtherText_IsRefused(text: String) {
    #expect(QuietHours(text: text) == nil)
  }

  @Test func testAlertOfQuietHours_IsSentAfterwardsIfItStillHolds() {
    func alert(_ name: String) -> AlertRules.Alert {
      AlertRules.Alert(kind: .batteryLow, strap: name, text: name, since: WallTime(microseconds: 0))
    }
    let (one, other) = (alert("one"), alert("other"))
    var held = HeldAlerts()
    #expect(held.update(new: [one], current: [one], isQuiet: true).isEmpty)
    #expect(held.update(new: [other], current: [one, other], isQuiet: true).isEmpty)
    #expect(held.update(new: [], current: [other], isQuiet: false) == [other])
    #expect(held.update(new: [], current: [other], isQuiet: false).isEmpty)
    #expect(held.update(new: [one], current: [one, other], isQuiet: false) == [one])
  }
}

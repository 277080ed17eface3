import FoundationEssentials
import TachogramCore
import Testing

struct InstantTests {
  @Test func testDistance_Saturates() {
    #expect(MonotonicTime(microseconds: .max).microseconds(since: MonotonicTime(microseconds: -1)) == .max)
    #expect(MonotonicTime(microseconds: .min).microseconds(since: MonotonicTime(microseconds: 1)) == .min)
    #expect(WallTime(microseconds: .max).microseconds(since: WallTime(microseconds: -1)) == .max)
    #expect(WallTime(microseconds: .min).microseconds(since: WallTime(microseconds: 1)) == .min)
    #expect(MonotonicTime(microseconds: 5).microseconds(since: MonotonicTime(microseconds: 7)) == -2)
  }

  @Test func testMoving_Saturates() {
    #expect(MonotonicTime(microseconds: .max - 1).advanced(byMicroseconds: 2).microseconds == .max)
    #expect(MonotonicTime(microseconds: .min + 1).advanced(byMicroseconds: -2).microseconds == .min)
    #expect(WallTime(microseconds: .max - 1).advanced(byMicroseconds: 2).microseconds == .max)
    #expect(WallTime(microseconds: .min + 1).advanced(byMicroseconds: -2).microseconds == .min)
    #expect(MonotonicTime(microseconds: 10).advanced(byMilliseconds: 0.0016).microseconds == 12)
  }

  @Test(arguments: [0, 1, -1, 1_767_254_400_123_456, -62_135_596_800_000_000] as [Int64])
  func testDate_ComesBackToTheMicrosecond(microseconds: Int64) {
    #expect(abs(WallTime(WallTime(microseconds: microseconds).date).microseconds - microseconds) <= 8)
    #expect(WallTime(Date(timeIntervalSince1970: 1.25)).microseconds == 1_250_000)
  }

  @Test func testGap_IsNeverNegative() {
    let (early, late) = (MonotonicTime(microseconds: 1), MonotonicTime(microseconds: 4))
    #expect(BeatGap(sequence: 0, start: early, end: late, reason: .lost, ledgerSequence: 0).microseconds == 3)
    #expect(BeatGap(sequence: 0, start: late, end: early, reason: .overlap, ledgerSequence: 0).microseconds == 0)
  }

  /// Clocks go back from 03:00 to 02:00 in Berlin on 2026-10-25: the hour is there twice.
  @Test func testLocalTime_IsWhatTheClockSays() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let first = LocalTime(of: Date(timeIntervalSince1970: 1_792_888_200), in: berlin)
    let second = LocalTime(of: Date(timeIntervalSince1970: 1_792_891_800), in: berlin)
    #expect(first.day.text == "2026-10-25" && first.hour == 2 && first.secondOfDay == 9000)
    #expect(second == first)
    #expect(LocalTime(of: Date(timeIntervalSince1970: -1), in: .gmt).day.text == "1969-12-31")
    #expect(LocalTime(of: Date(timeIntervalSince1970: -1), in: .gmt).hour == 23)
  }
}

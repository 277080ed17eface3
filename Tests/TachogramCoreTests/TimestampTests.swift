import TachogramCore
import Testing

struct TimestampTests {
  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (1_767_254_400_123_456, "2026-01-01T08:00:00.123Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000Z"),
    (4_107_542_399_999_999, "2100-02-28T23:59:59.999Z"), (-62_135_596_800_000_000, "0001-01-01T00:00:00.000Z"),
  ])
  func testTime_IsWrittenAsRFC3339(microseconds: Int64, text: String) {
    #expect(Timestamp.text(WallTime(microseconds: microseconds)) == text)
  }
}

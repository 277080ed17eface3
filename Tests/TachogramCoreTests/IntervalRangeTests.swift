import TachogramCore
import Testing

struct IntervalRangeTests {
  @Test func testEveryTickCount_IsOfTheRangeOfItsMilliseconds() {
    for ticks in UInt16.min...UInt16.max {
      let rr = RRInterval(ticks: ticks)
      #expect(IntervalRange(rr) == IntervalRange(milliseconds: rr.milliseconds))
    }
  }

  @Test(
    arguments: [
      (-1, IntervalRange.tooShort), (0, .tooShort), (272.9, .tooShort), (273, .inRange), (2000, .inRange),
      (2000.1, .tooLong),
      (3000, .tooLong), (3000.1, .gap), (65_535, .gap), (.nan, .tooShort), (.infinity, .gap),
    ] as [(Double, IntervalRange)])
  func testBounds_BelongToTheRangeBelow(milliseconds: Double, range: IntervalRange) {
    #expect(IntervalRange(milliseconds: milliseconds) == range)
  }

  @Test func testMarks_AreThoseOfTheRange() {
    #expect(BeatMarks(RRInterval(ticks: 279), hasContact: true) == .tooShort)
    #expect(BeatMarks(RRInterval(ticks: 280), hasContact: true) == [])
    #expect(BeatMarks(RRInterval(ticks: 2048), hasContact: true) == [])
    #expect(BeatMarks(RRInterval(ticks: 2049), hasContact: true) == .tooLong)
    #expect(BeatMarks(RRInterval(ticks: 65_535), hasContact: false) == [.tooLong, .noContact])
  }
}

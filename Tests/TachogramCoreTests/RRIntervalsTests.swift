import TachogramCore
import Testing

struct RRIntervalsTests {
  @Test(arguments: 0...20)
  func testIntervals_AreWhatWasPutIn(count: Int) {
    let expected = (0..<count).map { RRInterval(ticks: UInt16(truncatingIfNeeded: 65_535 - 3001 * $0)) }
    var appended = RRIntervals()
    for interval in expected { appended.append(interval) }
    #expect(Array(appended) == expected)
    #expect(RRIntervals(expected) == appended)
    #expect(appended.count == count)
    #expect(appended.ticks == expected.reduce(0) { $0 + Int64($1.ticks) })
    #expect(appended.last == expected.last)
    let known = min(count, 8)
    var together = RRIntervals(expected.prefix(known))
    together.append(ticks: expected.dropFirst(known).map(\.ticks))
    #expect(together == appended)
  }

  @Test func testLists_DifferByOrderAndLength() {
    let (short, long) = (RRInterval(ticks: 1), RRInterval(ticks: 2))
    #expect(RRIntervals([short, long]) != RRIntervals([long, short]))
    #expect(RRIntervals([short]) != RRIntervals([short, RRInterval(ticks: 0)]))
  }
}

import GATT
import IntervalFiles
import TachogramCore
import TachogramTestKit
import Testing

struct IntervalLedgerTests {
  private static let start = WallTime(microseconds: 1_774_746_000_000_000)

  private static func series(_ text: String) throws -> RRSeries {
    try MemoryFile.withPath(Array(text.utf8)) { try RRSeriesReader(path: $0).read() }
  }

  @Test func testSeries_BecomesAnEntryABeatAndAGap() throws {
    let ledger = IntervalLedger(try Self.series("1000\n500\n# gap 2.5 s lost\n812.5\n"), start: Self.start)
    #expect(ledger.entries.map(\.monotonic.microseconds) == [1_000_000, 1_500_000, 4_000_000, 4_812_500])
    #expect(ledger.entries.map(\.sequence) == [0, 1, 2, 3])
    #expect(ledger.entries[2].content == .linkDown(reason: BeatGap.Reason.lost.code))
    let ticks = try ledger.entries.compactMap { entry -> UInt16? in
      guard case .notification(let value) = entry.content else { return nil }
      return try HeartRateMeasurementCodec.decode(value[...]).rrIntervals.first?.ticks
    }
    #expect(ticks == [1024, 512, 832])
    #expect(ledger.entries.last?.wall == Self.start.advanced(byMicroseconds: 4_812_500))
  }

  @Test func testGapsBeyondAllTime_LetItStandStill() throws {
    let lines = (0..<1000).map { "\(900 + $0 % 7)\n# gap 1e9 s lost\n" }.joined()
    let ledger = IntervalLedger(try Self.series(lines), start: Self.start)
    #expect(ledger.entries.count == 1999)
    let tenYears: Int64 = 10 * 366 * 86_400 * 1_000_000
    #expect(ledger.entries.last?.monotonic == MonotonicTime(microseconds: tenYears))
  }

  @Test func testIdentifier_IsThatOfTheContent() throws {
    func identifier(_ text: String, _ start: WallTime = Self.start) throws -> String {
      IntervalLedger(try Self.series(text), start: start).session(madeFrom: "rr-text", person: nil, label: nil).id
    }
    let one = try identifier("1000\n900\n800\n")
    #expect(try identifier("1000\n900\n800\n") == one)
    #expect(try identifier("1000\n900\n801\n") != one)
    #expect(try identifier("1000\n900\n# gap 1 s lost\n800\n") != one)
    #expect(try identifier("1000\n900\n800\n", Self.start.advanced(byMicroseconds: 1)) != one)
  }

  @Test func testStart_IsReadFromThisProgramsText() throws {
    #expect(
      try Self.series("# start 2026-03-29T01:02:03.456789Z\n1000\n900\n").start?.microseconds == 1_774_746_123_456_789)
    #expect(try Self.series("# begun 2026-03-29T01:02:03Z\n1000\n900\n").start == nil)
  }
}

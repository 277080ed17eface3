import IntervalFiles
import TachogramTestKit
import Testing

/// Text of many apps: the same series in every dialect is the same intervals.
struct RRTextDialectTests {
  static let ends = ["\n", "\r\n", "\r"]

  private func read(_ text: String) throws -> RRSeries {
    try read(Array(text.utf8))
  }

  private func read(_ bytes: [UInt8]) throws -> RRSeries {
    try MemoryFile.withPath(bytes) { try RRSeriesReader(path: $0).read() }
  }

  private static func intervals(_ count: Int, seed: UInt64) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in Int.random(in: 600...1400, using: &random) }
  }

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap { unit in
      let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  private func expectSame(_ series: RRSeries, _ intervals: [Int], _ place: SourceLocation = #_sourceLocation) {
    #expect(series.intervals.count == intervals.count, sourceLocation: place)
    for (read, written) in zip(series.intervals, intervals) {
      #expect(abs(read.milliseconds - Double(written)) < 1e-9, sourceLocation: place)
      #expect(read.gap == nil, sourceLocation: place)
    }
    #expect(series.damaged == 0, sourceLocation: place)
  }

  // MARK: - The same in every dialect

  @Test(arguments: RRTextVariant.all)
  func testAnyDialect_GivesTheSameIntervals(_ variant: RRTextVariant) throws {
    for (seed, count) in [(UInt64(1), 12), (2, 100), (3, 1500)] {
      // Given
      let intervals = Self.intervals(count, seed: seed)
      // When
      let series = try read(variant.write(intervals))
      // Then
      expectSame(series, intervals)
      #expect(series.format.rawValue == variant.format)
      let dialect = try #require(series.dialect)
      let said = [
        dialect.unit.rawValue, dialect.separator.rawValue, dialect.decimal.rawValue, "\(dialect.column)",
        dialect.columnName ?? "-", "\(dialect.hasTimes)",
      ]
      #expect(said.joined(separator: " ") == variant.dialect)
    }
  }

  @Test(arguments: RRTextVariant.all, ends)
  func testAnyLineEndAndEncoding_GiveTheSame(_ variant: RRTextVariant, end: String) throws {
    let intervals = Self.intervals(40, seed: 4)
    let text = variant.write(intervals).replacing("\n", with: end)
    expectSame(try read(text), intervals)
    expectSame(try read("\u{FEFF}" + text), intervals)
    for isBigEndian in [false, true] {
      let series = try read(Self.utf16(text, isBigEndian: isBigEndian))
      expectSame(series, intervals)
      #expect(series.dialect?.encoding == (isBigEndian ? .utf16BigEndian : .utf16LittleEndian))
    }
  }

  @Test(arguments: RRTextVariant.all)
  func testUnreadableLine_IsCountedAndLeavesABreak(_ variant: RRTextVariant) throws {
    // Given: one of the last lines that hold an interval
    let intervals = Self.intervals(60, seed: 5)
    let whole = variant.write(intervals)
    var lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
    let index = try #require(lines.indices.filter { lines[$0].contains { $0.isNumber } }.dropLast(5).last)
    lines[index] = "no interval"
    // When
    let series = try read(lines.joined(separator: "\n"))
    // Then: with many columns, the last ones of the file hold no intervals
    #expect(series.intervals.count == intervals.count - 1)
    #expect(series.intervals.count { $0.gap != nil } == 1)
  }

  @Test(arguments: RRTextVariant.all)
  func testMutatedText_IsReadOrRefused(_ variant: RRTextVariant) throws {
    var random = SplitMix64(seed: 6)
    let whole = Array(variant.write(Self.intervals(30, seed: 6)).utf8)
    for _ in 0..<12 {
      var text = whole
      for _ in 0...Int.random(in: 0...6, using: &random) {
        let start = Int.random(in: 0..<text.count, using: &random)
        let end = min(text.count, start + Int.random(in: 1...20, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text[start] = Array(",;\t \"\n\r.#\u{0}".utf8)[Int.random(in: 0..<10, using: &random)]
        case 1: text.removeSubrange(start..<end)
        case 2: text.insert(contentsOf: text[start..<end], at: Int.random(in: 0...text.count, using: &random))
        default: text.replaceSubrange(start..<end, with: SplitMix64.bytes(end - start, seed: random.next()))
        }
        if text.count < 40 { break }
      }
      do {
        let series = try read(text)
        #expect(series.damaged <= series.records / 2 + 1)
        #expect(series.intervals.allSatisfy { $0.milliseconds > 0 && $0.milliseconds <= 65_535 })
        #expect(series.intervals.allSatisfy { ($0.gap ?? 0) >= 0 })
      } catch is RRSeriesError {
        // Refused with a sentence.
      }
    }
  }

  // MARK: - Gaps told from times

  @Test func testMoments_TellAGap() throws {
    var text = "Phone timestamp;RR-interval [ms]\n"
    for index in 0..<40 {
      text += "\(RRTextVariant.moment(index * 800 + (index >= 20 ? 61_000 : 0), "T"));800\n"
    }
    let series = try read(text)
    #expect(series.intervals.indices.filter { series.intervals[$0].gap != nil } == [20])
    #expect(abs((series.intervals[20].gap ?? 0) - 61_000) < 2)
  }

  @Test(arguments: 0..<8)
  func testTimesOfPackets_AreNoGapsButForARealOne(_ seed: UInt64) throws {
    // Given: intervals with the moment at which a packet of one or two of them came, once a second, and half a minute missing
    let intervals = Self.intervals(200, seed: seed)
    let rows = RRTextVariant.rows(intervals) { time, interval in
      let missing = time > 80_000 ? 30_000 : 0
      return "\((time + missing + 999) / 1000 * 1000),\(interval)"
    }
    // When
    let series = try read("timestamp,rr,since_start\n" + rows)
    // Then
    let gaps = series.intervals.compactMap(\.gap)
    #expect(gaps.count == 1)
    #expect(abs((gaps.first ?? 0) - 30_000) < 2000)
  }

  @Test func testEmptyCell_IsCountedAndLeavesABreak() throws {
    let series = try read("RR;HR\n800;75\n;75\n810;74\n820;73\n")
    #expect(series.intervals.map(\.gap) == [nil, 0, nil])
    #expect(series.intervals.map(\.impossibleBefore) == [0, 1, 0])
    #expect(series.problems.map(\.place) == [.line(3)])
  }

  @Test func testSecondSeries_IsNotAppended() throws {
    let series = try read("RR-Intervalle - Rohwerte\n0.807\n0.838\n0.851\n\nRR-Intervalle - Korrigiert\n0.9\n0.9\n")
    #expect(series.intervals.map(\.milliseconds) == [807, 838, 851])
    #expect(series.problems.map(\.place) == [.line(6)])
  }

  @Test func testTwoColumnsOfTheSameName_AreSaid() throws {
    let series = try read("Time,RR interval,Time,RR interval\n1,0.8,1,0.9\n1.8,0.8,1.9,0.9\n")
    #expect(series.dialect?.alikeColumns == 2)
    #expect(series.columnsNote == "2 columns are named \"RR interval\"; only the first of them is read, column 2")
    #expect(try read("Time,RR interval\n1,0.8\n1.8,0.8\n").columnsNote == nil)
    #expect(series.intervals.map(\.milliseconds) == [800, 800])
  }
}

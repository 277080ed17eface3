import IntervalFiles
import TachogramTestKit
import Testing

struct FITReaderTests {
  private func read(_ bytes: [UInt8]) throws -> RRSeries {
    try MemoryFile.withPath(bytes) { try RRSeriesReader(path: $0).read() }
  }

  private static func intervals(_ count: Int) -> [Int] {
    (0..<count).map { 700 + $0 * 37 % 200 }
  }

  private static func script(_ intervals: [Int], isBigEndian: Bool = false) -> FITScript {
    var script = FITScript(isBigEndian: isBigEndian)
    script.defineAll()
    script.timer(0, at: 1000)
    script.series(intervals)
    return script
  }

  // MARK: - Layouts

  @Test(arguments: [UInt8(12), 14], [false, true])
  func testHeadersAndByteOrders_GiveTheIntervals(header: UInt8, isBigEndian: Bool) throws {
    let script = Self.script(Self.intervals(100), isBigEndian: isBigEndian)
    let series = try read(script.file(headerLength: header))
    #expect(series.format == .fit)
    #expect(series.dialect == nil)
    #expect(series.intervals.map(\.milliseconds) == Self.intervals(100).map(Double.init))
    #expect(series.intervals.allSatisfy { $0.gap == nil })
    #expect(series.records == script.messages)
    #expect(series.damaged == 0)
    #expect(!series.isTruncated)
  }

  @Test func testDeveloperFieldsAndCompressedHeaders_ArePassedOver() throws {
    var script = FITScript()
    script.defineAll(developer: [(0, 3, 0), (1, 200, 0)])
    let extra = [UInt8](repeating: 0x41, count: 203)
    script.hrv([800, 810], developer: extra)
    script.record(1000)
    script.hrv([820], header: 0x80 | 1 << 5 | 7, developer: extra)
    let series = try read(script.file())
    #expect(series.intervals.map(\.milliseconds) == [800, 810, 820])
    #expect(series.damaged == 0)
  }

  @Test func testChainedFiles_AreReadWithABreakBetween() throws {
    let series = try read(
      Self.script([800, 810, 820]).file() + Self.script([700, 710], isBigEndian: true).file(headerLength: 12))
    #expect(series.intervals.map(\.milliseconds) == [800, 810, 820, 700, 710])
    #expect(series.intervals.map(\.gap) == [nil, nil, nil, 0, nil])
    #expect(series.damaged == 0)
  }

  @Test func testRedefinition_IsFollowed() throws {
    var script = Self.script([800, 810])
    script.define(1, 20, [(3, 1, 0x02)])
    script.data(1, [70])
    script.define(3, 78, [(0, 2, 0x84)])
    script.data(3, [0x20, 0x03])
    #expect(try read(script.file()).intervals.map(\.milliseconds) == [800, 810, 800])
  }

  // MARK: - Pauses

  @Test(arguments: [UInt8(1), 4, 8, 9])
  func testPauseOfTheTimer_IsAGap(stop: UInt8) throws {
    var script = Self.script([800, 810])
    script.timer(stop, at: 1010)
    script.timer(8, at: 1011)
    script.timer(0, at: 1070)
    script.hrv([820, 830])
    #expect(try read(script.file()).intervals.map(\.gap) == [nil, nil, 60_000, nil])
  }

  @Test func testIntervalsWithinAPause_CountAgainstIt() throws {
    var script = Self.script([800, 810])
    script.timer(4, at: 1010)
    script.hrv([2000, 1000])
    script.timer(0, at: 1070)
    script.hrv([820])
    script.timer(4, at: 1080)
    script.hrv([1500, 1500])
    script.timer(0, at: 1083)
    script.hrv([830])
    #expect(try read(script.file()).intervals.map(\.gap) == [nil, nil, nil, nil, 57_000, nil, nil, nil])
  }

  @Test func testEventWithoutTimeOfItsOwn_TakesTheCompressedOne() throws {
    // Given: events of local type 3 without a timestamp, 30 s after 1000 and 11 s later, over a roll of the five bits
    var script = FITScript()
    script.defineAll()
    script.define(3, 21, [(0, 1, 0), (1, 1, 0)])
    script.hrv([800])
    script.record(1000)
    script.data(0x80 | 3 << 5 | UInt8(1030 & 0x1F), [0, 4])
    script.data(0x80 | 3 << 5 | UInt8(1041 & 0x1F), [0, 0])
    script.hrv([810])
    #expect(try read(script.file()).intervals.map(\.gap) == [nil, 11_000])
  }

  @Test func testPauseOfUnknownLength_IsABreak() throws {
    var script = Self.script([800, 810])
    script.timer(4, at: 0xFFFF_FFFF)
    script.define(2, 21, [(0, 1, 0), (1, 1, 0)])
    script.data(2, [0, 0])
    script.hrv([820])
    let gaps = try read(script.file()).intervals.map(\.gap)
    #expect(gaps.count == 3)
    #expect(gaps[2] != nil)
  }

  // MARK: - Damage

  @Test func testWrongChecksum_IsSaidAndTheRestIsUsed() throws {
    var file = Self.script(Self.intervals(30)).file()
    file[file.count - 1] ^= 0xFF
    let series = try read(file)
    #expect(series.intervals.count == 30)
    #expect(series.problems.map(\.place) == [.byte(UInt64(file.count - 2))])
    #expect(series.damageNote?.contains("checksum") == true)
    // And: that of the header
    file = Self.script(Self.intervals(30)).file()
    file[12] ^= 0xFF
    #expect(try read(file).problems.first?.place == .byte(12))
  }

  @Test func testCutFile_IsReadToTheCut() throws {
    let whole = Self.script(Self.intervals(60)).file()
    for end in stride(from: whole.count - 1, to: 120, by: -1) {
      let series = try read(Array(whole[..<end]))
      #expect(series.isTruncated)
      #expect(series.problems.count == 1)
      #expect(series.intervals.map(\.milliseconds) == Self.intervals(series.intervals.count).map(Double.init))
    }
  }

  @Test func testDamagedStretch_IsPassedOverToTheNextDefinition() throws {
    // Given: bytes that are no message between two definitions
    var script = Self.script([800, 810, 820])
    let offset = script.records.count + 14
    script.data(0x0F, [UInt8](repeating: 0x3F, count: 40))
    script.defineAll()
    script.hrv([830, 840])
    let series = try read(script.file())
    #expect(series.intervals.map(\.milliseconds) == [800, 810, 820, 830, 840])
    #expect(series.intervals.map(\.gap) == [nil, nil, nil, 0, nil])
    #expect(series.problems.map(\.place) == [.byte(UInt64(offset))])
    #expect(series.damagedBytes == 41)
  }

  @Test func testTextBehindTheFile_IsCounted() throws {
    let series = try read(Self.script([800, 810]).file() + Array("that is all".utf8))
    #expect(series.intervals.count == 2)
    #expect(series.damagedBytes == 11)
  }

  @Test func testHeaderWithoutLength_IsReadToTheEnd() throws {
    let series = try read(Array(Self.script([800, 810]).file(length: 0).dropLast(2)))
    #expect(series.intervals.count == 2)
    #expect(series.damaged == 1)
  }

  @Test func testZeroInterval_LeavesABreak() throws {
    let series = try read(Self.script([800, 0, 820]).file())
    #expect(series.intervals.map(\.gap) == [nil, 0])
    #expect(series.damaged == 1)
  }

  @Test func testFileWithoutIntervals_SaysSo() {
    var script = FITScript()
    script.defineAll()
    script.record(1000)
    script.hrv([])
    #expect(throws: RRSeriesError.self) { try self.read(script.file()) }
    #expect(throws: RRSeriesError.self) { try self.read(Array(script.file()[..<12])) }
  }

  // MARK: - Bytes of any kind

  @Test(arguments: 0..<16)
  func testMutatedFiles_AreReadToTheEnd(_ round: Int) throws {
    var random = SplitMix64(seed: UInt64(round))
    let whole = Self.script(Self.intervals(80), isBigEndian: round % 2 == 0).file()
    for _ in 0..<40 {
      var file = whole
      for _ in 0...Int.random(in: 0...5, using: &random) {
        let start = Int.random(in: 12..<max(13, file.count), using: &random)
        let end = min(file.count, start + Int.random(in: 1...60, using: &random))
        guard start < end else { break }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: file[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: file[start] = [0, 0x40, 0x60, 0x7F, 0x80, 0xFF][Int.random(in: 0..<6, using: &random)]
        case 2: file.removeSubrange(start..<end)
        case 3: file.replaceSubrange(start..<end, with: SplitMix64.bytes(end - start, seed: random.next()))
        default: file.removeSubrange(end...)
        }
      }
      do {
        let series = try read(file)
        #expect(series.damagedBytes <= UInt64(file.count))
        #expect(series.problems.count == min(series.damaged, RRSeries.describedProblems))
        #expect(series.intervals.allSatisfy { $0.milliseconds > 0 && $0.milliseconds < 65_535 })
      } catch is RRSeriesError {
        // Without any interval it is refused.
      }
    }
  }

  @Test(arguments: 0..<12)
  func testBytesOfAnyKindBehindAHeader_AreReadToTheEnd(_ seed: UInt64) throws {
    let header = Array(Self.script([800]).file(length: 100_000)[..<14])
    let bytes = header + SplitMix64.bytes(20_000, seed: seed)
    do {
      _ = try read(bytes)
    } catch RRSeriesError.noSeries(_, .noHRVMessages) {
      // What is meant to happen.
    }
  }
}

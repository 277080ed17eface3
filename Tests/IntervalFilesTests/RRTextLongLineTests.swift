import TachogramTestKit
import Testing

@testable import IntervalFiles

/// Lines that are longer than any number, and lines that do not end.
struct RRTextLongLineTests {
  private static let chunks = [1 << 18, 5000, 4096]

  private func read(_ bytes: [UInt8], chunk: Int) throws -> RRSeries {
    try MemoryFile.withPath(bytes) { try RRSeriesReader(path: $0, chunk: chunk).read() }
  }

  private func refusal(_ bytes: [UInt8], chunk: Int) -> RRSeriesRefusal? {
    do {
      _ = try read(bytes, chunk: chunk)
    } catch RRSeriesError.noSeries(_, let why) {
      return why
    } catch {
      Issue.record("\(error)")
    }
    return nil
  }

  private static func line(_ count: Int, _ byte: UInt8 = 0x38) -> [UInt8] { Array(repeating: byte, count: count) }

  private static let intervals = Array(String(repeating: "800\n", count: 100).utf8)

  @Test(arguments: chunks)
  func testLongLineAmongIntervals_IsCountedWithItsPlace(chunk: Int) throws {
    let series = try read(
      [0xEF, 0xBB, 0xBF] + Self.intervals + Self.line(1 << 20) + [0x0A] + Self.intervals, chunk: chunk)
    #expect(series.intervals.count == 200 && series.damaged == 1)
    #expect(
      series.problems == [
        .init(place: .line(101), length: 1, problem: "longer than 4096 bytes, from byte 403 on")
      ])
  }

  @Test(arguments: chunks, [false, true])
  func testLineThatDoesNotEnd_IsNotWaitedFor(chunk: Int, isBehindIntervals: Bool) {
    let before = isBehindIntervals ? Self.intervals : []
    let why = refusal(before + Self.line((1 << 20) + 1, 0) + [0x0A] + Self.intervals, chunk: chunk)
    #expect(
      why == .endlessLine(line: isBehindIntervals ? 101 : 1, byte: isBehindIntervals ? 400 : 0))
    #expect(why?.description.contains("does not end within 1 MiB; write one interval a line") == true)
  }

  /// All intervals in one line, as some programs write them.
  @Test(arguments: chunks)
  func testLongLineAlone_SaysHowToWriteThem(chunk: Int) {
    let list = Array(Array(repeating: "800", count: 2000).joined(separator: " ").utf8)
    let why = refusal(list, chunk: chunk)
    #expect(why == .longLine(line: 1, limit: 4096))
    #expect(why?.description.contains("write one interval a line") == true)
  }

  /// Of two bytes a character: the place in the file is not known.
  @Test func testLongLineInUTF16_IsCountedByItsLine() throws {
    let text = Self.intervals + Self.line(5000) + [0x0A] + Self.intervals
    let series = try read([0xFF, 0xFE] + text.flatMap { [$0, 0] }, chunk: 5000)
    #expect(series.intervals.count == 200)
    #expect(series.problems.map(\.problem) == ["longer than 4096 bytes"])
  }

  @Test func testMoreIntervalsThanAreKept_AreRefused() throws {
    let bytes = Self.intervals + Self.intervals
    func read(_ limit: Int) throws -> Int {
      try MemoryFile.withPath(bytes) {
        try RRSeriesReader(path: $0, chunk: 4096, mostIntervals: limit).read().intervals.count
      }
    }
    #expect(try read(200) == 200)
    let error = #expect(throws: RRSeriesError.self) { try read(199) }
    guard case .noSeries(_, why: .tooManyIntervals(limit: 199)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

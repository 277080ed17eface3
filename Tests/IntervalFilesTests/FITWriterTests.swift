import Foundation
import IntervalFiles
import TachogramCore
import TachogramTestKit
import Testing

struct FITWriterTests {
  private static let start = WallTime(microseconds: 1_774_746_123_456_789)

  private static func read(_ bytes: [UInt8]) throws -> RRSeries {
    try MemoryFile.withPath(bytes) { try RRSeriesReader(path: $0).read() }
  }

  @Test func testIntervals_AreReadBackToTheMillisecond() throws {
    var writer = FITWriter(start: Self.start)
    let ticks: [UInt16] = (0..<1003).map { UInt16(700 + $0 * 37 % 400) }
    for ticks in ticks { writer.add(RRInterval(ticks: ticks)) }
    let series = try Self.read(writer.file(end: Self.start.advanced(byMicroseconds: 900_000_000)))
    #expect(series.intervals.map(\.milliseconds) == ticks.map { (Double($0) * 1000 / 1024).rounded() })
    #expect(series.intervals.allSatisfy { $0.gap == nil })
    #expect(series.damaged == 0 && !series.isTruncated)
    #expect(series.start == WallTime(microseconds: 1_774_746_123_000_000))
  }

  @Test func testGaps_ArePausesInWholeSeconds() throws {
    var writer = FITWriter(start: Self.start)
    writer.add(RRInterval(ticks: 1024))
    writer.add(gapAt: Self.start.advanced(byMicroseconds: 1_000_000), lasting: .microseconds(12_400_000))
    writer.add(RRInterval(ticks: 1024))
    writer.add(gapAt: Self.start.advanced(byMicroseconds: 15_000_000), lasting: .microseconds(300_000))
    writer.add(RRInterval(ticks: 1024))
    let series = try Self.read(writer.file(end: Self.start.advanced(byMicroseconds: 20_000_000)))
    #expect(series.intervals.map(\.gap) == [nil, 12_000, 0])
  }

  @Test func testHeartRates_AreKeptOneASecondAndNotOthers() {
    var (one, other) = (FITWriter(start: Self.start), FITWriter(start: Self.start))
    one.add(heartRate: 61, at: Self.start)
    other.add(heartRate: 61, at: Self.start)
    // The same second; none; more than a byte holds.
    other.add(heartRate: 62, at: Self.start.advanced(byMicroseconds: 1))
    other.add(heartRate: 0, at: Self.start.advanced(byMicroseconds: 2_000_000))
    other.add(heartRate: 300, at: Self.start.advanced(byMicroseconds: 3_000_000))
    #expect(one.file(end: Self.start) == other.file(end: Self.start))
  }

  @Test func testIntervalOfNothing_IsLeftOut() throws {
    var writer = FITWriter(start: Self.start)
    for ticks: UInt16 in [0, 1024, 65_535] { writer.add(RRInterval(ticks: ticks)) }
    #expect(try Self.read(writer.file(end: Self.start)).intervals.map(\.milliseconds) == [1000, 63_999])
  }
}

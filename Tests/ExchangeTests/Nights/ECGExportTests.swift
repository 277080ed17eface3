import CommandProcess
import FoundationEssentials
import Repository
import TachogramCore
import Testing

@testable import Exchange

@Suite("Electrocardiograms")
struct ECGExportTests {
  /// 2026 by the clock of the strap, in ns since 2000.
  private static let clock: UInt64 = 820_000_000_000_000_000
  private static let period: UInt64 = 7_692_308
  private static let size = 73

  private let fixture: NightFixture

  init() throws {
    fixture = try NightFixture(beats: 1)
  }

  private func value(_ sample: Int) -> Int32 { Int32(sample % 2000 - 1000) }

  /// Returns a frame of format 0: type, time, format, and three bytes a sample, the least significant first.
  private static func frame(_ samples: [Int32], time: UInt64) -> [UInt8] {
    let header = [0] + (0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * UInt64($0))) } + [0]
    return header + samples.flatMap { sample in (0..<3).map { UInt8(truncatingIfNeeded: sample >> (8 * Int32($0))) } }
  }

  /// Stores frames of an electrocardiogram by their numbers; missing numbers are gaps.
  private func store(_ frames: [Int], rate: UInt8 = 130, starts: Bool = true, factor: Int32 = 1) throws {
    let start = SensorEntry.Content.started(
      request: [2, 0, 0, 1, rate, 0, 1, 1, 14, 0], response: [0xF0, 2, 0, 0, 0])
    let contents = frames.map { frame -> (Int, SensorEntry.Content) in
      let first = frame * Self.size
      let samples = (first..<first + Self.size).map { value($0) * factor }
      let last = Self.clock + UInt64(first + Self.size - 1) * Self.period
      return (frame, .frame(Self.frame(samples, time: last)))
    }
    let entries = ((starts ? [(0, start)] : []) + contents).enumerated().map { sequence, content in
      // The first frame after 1 s and no earlier than its last sample; others up to 9 ms later.
      let delay = Int64(content.0 + 1) * Int64(Self.size) * Int64(Self.period) / 1000 + Int64(content.0 % 10) * 1000
      let time = NightFixture.begin.advanced(byMicroseconds: 1_000_000 + delay)
      return SensorEntry(
        sequence: Int64(sequence), link: 0, monotonic: time,
        wall: NightFixture.start.advanced(byMicroseconds: 1_000_000 + delay), content: content.1)
    }
    try SensorRepository(database: fixture.database).append(entries, to: NightFixture.id)
  }

  private func session() throws -> StoredSession {
    try StoredSession(
      SessionRepository(database: fixture.database).session(matching: NightFixture.id), in: fixture.database)
  }

  private func export(_ format: ExportFormat) throws -> [UInt8] {
    let sink = MemorySink()
    try SessionExporter(session: session()).write(format, to: sink)
    return sink.bytes
  }

  @Test func testCSV_HasTimeAndVoltageOfEverySample() throws {
    try store([0, 1, 3])
    let rows = String(decoding: try export(.ecgCSV), as: UTF8.self).split(separator: "\n")
    #expect(rows[0] == "time,microvolts" && rows.count == 1 + 3 * Self.size)
    // One period after the second, because the frame arrived one period after its last sample.
    #expect(rows[1] == "2026-03-28T23:10:01.007692Z,-1000")
    #expect(rows[2] == "2026-03-28T23:10:01.015384Z,-999")
    let seconds = rows.dropFirst().compactMap { Timestamp.time(String($0.prefix(27))) }
    let steps = zip(seconds, seconds.dropFirst()).map { $1.microseconds(since: $0) }
    #expect(steps.count { $0 > 8000 } == 1)
    // The frames arrive with different delays, so that the length of a gap is known to some milliseconds.
    #expect(abs((steps.max() ?? 0) - Int64(Self.size + 1) * 7692) < 10_000)
  }

  @Test func testEDFWithoutGap_IsContinuous() throws {
    try store(Array(0..<20))
    let edf = try EDFReading(export(.ecgEDF))
    #expect(edf.kind == "EDF+C" && edf.dimension == "uV" && edf.scale == 1)
    #expect(edf.start == expectedStart)
    #expect(edf.records.flatMap(\.self) == (0..<20 * Self.size).map { Int(value($0)) })
    #expect(abs(edf.recordSeconds - Double(edf.sizes[0]) * 0.007692308) < 1e-6)
    for (place, onset) in edf.onsets.enumerated() {
      #expect(abs(onset - 0.007692 - Double(place) * edf.recordSeconds) < 1e-9)
    }
  }

  private var expectedStart: String {
    let fields = LocalClock(timeZone: .current).fields(NightFixture.start.advanced(byMicroseconds: 1_000_000))
    return "\(fields[2]).\(fields[1]).\(fields[0].suffix(2))" + fields[3...].joined(separator: ".")
  }

  @Test func testEDFWithGaps_HasTheTimesOfItsRecords() throws {
    try store(Array(0..<4) + Array(6..<9))
    let edf = try EDFReading(export(.ecgEDF))
    #expect(edf.kind == "EDF+D" && edf.sizes[0] == Self.size && edf.onsets.count == 7)
    #expect(edf.records.last == (8 * Self.size..<9 * Self.size).map { Int(value($0)) })
    let steps = zip(edf.onsets, edf.onsets.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 >= edf.recordSeconds - 1e-9 })
    #expect(abs(steps[3] - 3 * edf.recordSeconds) < 0.01)
    #expect(try SessionExporter(session: session()).omissions(in: .ecgEDF) == nil)
  }

  @Test func testVoltageBeyond16Bits_IsScaledAndReported() throws {
    try store([0], factor: 100)
    let edf = try EDFReading(export(.ecgEDF))
    #expect(edf.scale == 4 && edf.records.first?.first == -25_000)
    #expect(
      try SessionExporter(session: session()).omissions(in: .ecgEDF) == "ecg-edf does not hold differences below 4 µV")
  }

  @Test func testSessionWithoutElectrocardiogram_IsRefused() throws {
    #expect(SessionExporterRefusal.of(try session(), .ecgCSV)?.contains("has no electrocardiogram") == true)
    try store([0, 1], starts: false)
    // The rate is in the request.
    #expect(SessionExporterRefusal.of(try session(), .ecgEDF)?.contains("has no electrocardiogram") == true)
    #expect(throws: CommandFailure.self) { try export(.ecgEDF) }
  }

  @Test func testStreamsOfTwoRates_AreRefusedAsEDF() throws {
    try store([0])
    let second = SensorEntry(
      sequence: 2, link: 0, monotonic: NightFixture.time(4), wall: NightFixture.start,
      content: .started(request: [2, 0, 0, 1, 65, 0, 1, 1, 14, 0], response: [0xF0, 2, 0, 0, 0]))
    let frame = Self.frame([1, 2, 3], time: Self.clock + 900_000_000_000)
    let third = SensorEntry(
      sequence: 3, link: 0, monotonic: NightFixture.time(5), wall: NightFixture.start, content: .frame(frame))
    let damaged = SensorEntry(
      sequence: 4, link: 0, monotonic: NightFixture.time(5), wall: NightFixture.start, content: .frame([0, 1, 2]))
    try SensorRepository(database: fixture.database).append([second, third, damaged], to: NightFixture.id)
    #expect(SessionExporterRefusal.of(try session(), .ecgEDF)?.contains("65 Hz and 130 Hz") == true)
    #expect(try export(.ecgCSV).count { $0 == 0x0A } == 1 + Self.size + 3)
    #expect(
      try SessionExporter(session: session()).omissions(in: .ecgCSV)
        == "ecg-csv does not hold frames that cannot be read (1)")
  }
}

private enum SessionExporterRefusal {
  static func of(_ session: StoredSession, _ format: ExportFormat) -> String? {
    SessionExporter(session: session).refusal(of: format)
  }
}

import Foundation
import Pipeline
import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Readings of a part of a session")
struct ReadingAnalysisTests {
  private let database: TachogramDatabase
  private let session: SessionDescription
  private let entries: [LedgerEntry]

  init() throws {
    database = try .inMemory()
    entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    session = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    var batch = SessionBatch()
    batch.links = [StrapLink(number: 0, handle: 0x10, handleSource: .discovered)]
    batch.entries = entries
    try SessionRepository(database: database).begin(session, with: batch)
  }

  private func reading(from start: WallTime, seconds: Int) throws -> HRVReading {
    try ReadingAnalysis.reading(
      .spot, id: UUID().uuidString.lowercased(), of: session, from: start, for: .seconds(seconds), in: database)
  }

  /// The values are those of the intervals of the notifications, computed here from their definitions.
  @Test(arguments: [60, 120, 300])
  func testValues_AreThoseOfItsIntervals(seconds: Int) throws {
    let start = entries[20].wall
    let found = try reading(from: start, seconds: seconds)
    let end = start.advanced(by: .seconds(seconds))
    let intervals = entries.filter { $0.wall > start && $0.wall <= end }.flatMap(Self.intervals)
    try #require(intervals.count > 40)
    #expect(found.count == intervals.count)
    // The simulated heart has no artifacts that would be corrected.
    let differences = zip(intervals, intervals.dropFirst()).map { $1 - $0 }
    let rmssd = (differences.map { $0 * $0 }.reduce(0, +) / Double(differences.count)).squareRoot()
    let mean = intervals.reduce(0, +) / Double(intervals.count)
    if found.artifactShare == 0 {
      #expect(abs(try #require(found.rmssd) - rmssd) < 1e-6)
      #expect(abs(try #require(found.meanHeartRate) - 60_000 / mean) < 1e-6)
    }
    #expect(found.coverage > 0.95 && found.coverage <= 1)
    #expect(ReadingQuality(found) == .good)
  }

  /// Intervals in ms of a notification with a heart rate of one byte.
  private static func intervals(_ entry: LedgerEntry) -> [Double] {
    guard case .notification(let bytes) = entry.content else { return [] }
    let first = 2 + (bytes[0] & 0x08 == 0 ? 0 : 2)
    return stride(from: first, to: bytes.count - 1, by: 2).map {
      Double(UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8) * 1000 / 1024
    }
  }

  @Test func testStrapThatStopsSending_LacksCoverage() throws {
    let last = try #require(entries.last).wall
    let found = try reading(from: last.advanced(by: .seconds(-60)), seconds: 120)
    #expect(found.coverage > 0.4 && found.coverage < 0.6)
    #expect(ReadingQuality(found) == .gaps(coverage: found.coverage))
    #expect(ReadingQuality(found).problem?.isEmpty == false)
  }

  @Test func testTimeWithoutNotifications_HasNoValues() throws {
    let last = try #require(entries.last).wall
    let found = try reading(from: last.advanced(by: .seconds(60)), seconds: 60)
    #expect(found.count == 0 && found.rmssd == nil && found.coverage == 0)
    #expect(ReadingQuality(found) == .gaps(coverage: 0))
  }

  @Test func testQuality_HasLimits() {
    func quality(_ coverage: Double, _ artifacts: Double, rmssd: Double? = 40) -> ReadingQuality {
      ReadingQuality(
        HRVReading(
          id: "", kind: .spot, person: nil, session: nil, start: WallTime(microseconds: 0), duration: .seconds(60),
          coverage: coverage, artifactShare: artifacts, count: 60, rmssd: rmssd))
    }
    #expect(quality(0.9, 0.05) == .good && quality(0.9, 0.05).problem == nil)
    #expect(quality(0.89, 0) == .gaps(coverage: 0.89))
    #expect(quality(1, 0.051) == .artifacts(share: 0.051))
    #expect(quality(1, 0, rmssd: nil) == .tooShort)
  }
}

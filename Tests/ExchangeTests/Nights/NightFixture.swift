import CommandProcess
import Foundation
import Repository
import TachogramCore
import Testing

@testable import Exchange

/// A stored night with beats and movement, in memory.
struct NightFixture {
  /// Before the change of the clock in Berlin, which is at 2026-03-29T01:00:00Z.
  static let start = WallTime(microseconds: 1_774_739_400_000_000)
  static let id = "0f1e2d3c-4b5a-8697-8877-665544332211"
  /// The length of an epoch in microseconds.
  static let epoch: Int64 = 30_000_000
  /// Not 0, so that nothing takes it for the start of the axis.
  static let begin = MonotonicTime(microseconds: 5_000_000)

  let database: TachogramDatabase

  /// Creates a session with a beat of one second per second for `beats` seconds.
  init(beats: Int = 0, person: String? = "Anna") throws {
    database = try TachogramDatabase.inMemory()
    let session = SessionDescription(
      id: Self.id, strap: StrapIdentity(address: .unknown), origin: .live, person: person, start: Self.start,
      monotonicStart: Self.begin)
    try SessionRepository(database: database).store(session, isComplete: true) { append in
      var batch = SessionBatch()
      batch.links = [StrapLink(number: 0, bootID: nil, handle: 1, handleSource: .discovered)]
      for second in 0..<Int64(beats) {
        let time = Self.begin.advanced(byMicroseconds: (second + 1) * 1_000_000)
        batch.entries.append(
          LedgerEntry(
            sequence: second, link: 0, monotonic: time, wall: session.wall(time), content: .notification([0, 60])))
        batch.beats.append(
          Beat(sequence: second, time: time, rr: RRInterval(ticks: 1024), ledgerSequence: second))
      }
      try append(batch)
    }
  }

  /// Returns the beginning of an epoch.
  static func time(_ place: Int) -> MonotonicTime { begin.advanced(byMicroseconds: Int64(place) * epoch) }

  /// Stores the night with stages of epochs; `nil` are gaps between periods.
  func store(_ stages: [SleepStage?], lasts: Bool = false, isStaged: Bool = true) throws {
    let periods = stages.enumerated().compactMap { place, stage in
      stage.map { SleepStagePeriod(start: Self.time(place), end: Self.time(place + 1), stage: $0) }
    }
    try SleepRepository(database: database).store(
      SleepSession(
        session: Self.id, origin: .command, lightsOff: Self.begin, lightsOn: lasts ? nil : Self.time(stages.count),
        staging: isStaged
          ? SleepSession.Staging(estimator: "heart-rate-night", periods: periods, meanHeartRate: 58.5) : nil))
  }

  func night(timeZone: String = "Europe/Berlin") throws -> NightExport {
    let record = try SessionRepository(database: database).session(matching: Self.id)
    return try NightExport(record, in: database, timeZone: try #require(TimeZone(identifier: timeZone)))
  }

  /// Returns the export of the stored night.
  func export(_ format: NightFormat, timeZone: String = "Europe/Berlin") throws -> [UInt8] {
    let sink = MemorySink()
    try format.write(night(timeZone: timeZone), to: sink)
    return sink.bytes
  }

  func text(_ format: NightFormat) throws -> String { String(decoding: try export(format), as: UTF8.self) }
}

import Foundation
import Recording
import Repository
import Sleep
import TachogramCore
import Testing

/// The nights of stored sessions.
@Suite("Nights of sessions")
struct SessionNightTests {
  private let database: TachogramDatabase
  private let record: SessionRecord
  private let zone = TimeZone(secondsFromGMT: 3_600) ?? .gmt

  /// A session of a simulated strap.
  init() throws {
    database = try .inMemory()
    let (session, _) = try RecordedStrap.store(in: database, isOver: true)
    record = try SessionRepository(database: database).session(matching: session.id)
  }

  @Test func testNight_IsThatOfTheBeats() throws {
    let found = try SessionNight(record, in: database, timeZone: zone)
    var beats: [Beat] = []
    try SessionRepository(database: database).forEachBeat(of: record.description.id) { beats += $0 }
    let last = try #require(beats.last)
    let seconds = last.time.microseconds(since: found.lightsOff) / 1_000_000
    #expect(found.night.epochCount == Int(seconds / 30))
    #expect(found.lightsOn == found.lightsOff.advanced(by: .seconds(30 * found.night.epochCount)))
    let valid = found.night.beats.intervals.filter(\.isValid)
    #expect(valid.count <= beats.count && Double(valid.count) > 0.9 * Double(beats.count))
    // Covered time and beats agree: the sum of intervals is what they take.
    let covered = found.night.beats.coveredTicks(epochCount: found.night.epochCount).reduce(0, +)
    let sum = valid.reduce(0) { $0 + $1.ticks }
    #expect(abs(covered - sum) <= 40 * 1024)
  }

  @Test func testStages_AreStoredAsPeriodsOfTheNight() throws {
    let found = try SessionNight(record, in: database, timeZone: zone)
    let stages: [SleepStage] = (0..<found.night.epochCount).map { $0 < 3 ? .wake : $0 % 7 == 6 ? .rem : .light }
    let staging = found.staging(StagedNight(found.night, by: Fixed(stages: stages)))
    #expect(staging.stages == stages && staging.estimator == "fixed")
    #expect(staging.periods.first?.start == found.lightsOff && staging.periods.last?.end == found.lightsOn)
    let session = record.description.id
    let night = SleepSession(
      session: session, origin: .command, lightsOff: found.lightsOff, lightsOn: found.lightsOn, staging: staging)
    try SleepRepository(database: database).store(night)
    #expect(try SleepRepository(database: database).night(of: session) == night)
    // The mean of the beats that end in epochs of sleep.
    var (count, ticks) = (0, 0)
    try SessionRepository(database: database).forEachBeat(of: session) { beats in
      for beat in beats where !beat.marks.isOutOfRange && beat.time >= found.lightsOff && beat.time < found.lightsOn {
        guard stages[Int(beat.time.microseconds(since: found.lightsOff) / 30_000_000)] != .wake else { continue }
        (count, ticks) = (count + 1, ticks + Int(beat.rr.ticks))
      }
    }
    let mean = try #require(staging.meanHeartRate)
    #expect(abs(mean - 61_440 * Double(count) / Double(ticks)) < 1e-9)
    #expect(try #require(staging.lowestHeartRate) <= mean)
  }

  @Test func testTimesInBed_LimitTheNight() throws {
    let whole = try SessionNight(record, in: database, timeZone: zone)
    let start = whole.lightsOff.advanced(by: .seconds(60))
    let part = try SessionNight(
      record, from: start, to: start.advanced(by: .seconds(95)), in: database, timeZone: zone)
    #expect(part.night.epochCount == 3 && part.lightsOn == start.advanced(by: .seconds(90)))
    #expect(part.night.beats.intervals.allSatisfy { $0.end >= 0 })
    #expect(throws: SessionNight.Failure.tooShort(session: record.description.id)) {
      try SessionNight(record, from: start, to: start.advanced(by: .seconds(29)), in: database, timeZone: zone)
    }
    #expect(throws: SessionNight.Failure.self) {
      try SessionNight(record, from: start, to: start.advanced(by: .seconds(8 * 86_400)), in: database, timeZone: zone)
    }
  }

  private struct Fixed: SleepStagingProtocol {
    let name = "fixed"
    let isCausal = true
    let stages: [SleepStage]
    var classes: [SleepStage] { SleepStage.allCases }

    func epochs(of night: SleepNight) -> [SleepEpoch] {
      stages.enumerated().map { SleepEpoch(index: $0, stage: $1, coverage: 1) }
    }
  }
}

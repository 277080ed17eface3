import Foundation
import Recording
import Repository
import Sleep
import TachogramCore
import TachogramTestKit
import Testing

/// The stages of nights that are not over.
@Suite("Stages of nights that last")
struct LiveStagingTests {
  private let database: TachogramDatabase
  private let session: SessionDescription
  private let last: WallTime
  private let staging: LiveStaging

  /// A session of a simulated strap that is being recorded, and is a night from its first minute on.
  init() throws {
    database = try .inMemory()
    (session, last) = try RecordedStrap.store(in: database)
    let keeper = NightKeeper(database: database, timeZone: .gmt)
    _ = try keeper.begin(at: session.start.advanced(by: .seconds(60)), origin: .command)
    staging = LiveStaging(database: database, timeZone: .gmt)
  }

  private func stage(after seconds: Int = 0) throws -> SleepStage? {
    try staging.stages(of: [session.id], at: last.advanced(by: .seconds(seconds)))[session.id]
  }

  /// The stage is what the causal estimator says of the last epoch, whether the night goes on or not.
  @Test func testStage_IsThatOfTheLastEpoch_WithoutTheFuture() throws {
    let stage = try #require(try stage())
    #expect([.wake, .light, .deep, .rem].contains(stage))
    let record = try SessionRepository(database: database).session(matching: session.id)
    let start = try #require(try SleepRepository(database: database).night(of: session.id)).lightsOff
    let whole = try SessionNight(record, from: start, in: database, timeZone: .gmt)
    let epochs = try #require(NightEstimates.live(for: whole.night)).epochs(of: whole.night)
    #expect(epochs.last?.stage == stage)
    for count in [whole.night.epochCount / 2, whole.night.epochCount - 1] {
      let end = start.advanced(by: .seconds(30 * count))
      let part = try SessionNight(record, from: start, to: end, in: database, timeZone: .gmt)
      let live = try #require(NightEstimates.live(for: part.night)).epochs(of: part.night)
      #expect(live.last == epochs[count - 1])
    }
  }

  @Test func testSilence_EndsTheStage() throws {
    #expect(try stage(after: 119) != nil)
    #expect(try stage(after: 121) == nil)
  }

  @Test func testOtherSessions_HaveNoStage() throws {
    #expect(try staging.stages(of: [], at: last).isEmpty)
    #expect(try staging.stages(of: ["another"], at: last).isEmpty)
    _ = try NightKeeper(database: database, timeZone: .gmt).end(at: last)
    #expect(try stage() == nil)
  }

  @Test func testNightOfAMoment_HasNoStage() throws {
    _ = try SleepRepository(database: database).forget(session.id)
    _ = try NightKeeper(database: database, timeZone: .gmt).begin(at: last, origin: .page)
    #expect(try stage() == nil)
  }
}

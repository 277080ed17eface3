import FoundationEssentials
import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// Nights that begin and end, by hand and by themselves.
@Suite("Nights, begun and ended")
struct NightKeeperTests {
  private let database: TachogramDatabase
  private let repository: SessionRepository
  private let nights: SleepRepository
  private let keeper: NightKeeper
  private let session: SessionDescription
  private let last: WallTime

  /// A session that is being recorded: a strap has sent beats until `last`.
  init() throws {
    database = try .inMemory()
    repository = SessionRepository(database: database)
    nights = SleepRepository(database: database)
    keeper = NightKeeper(database: database, timeZone: .gmt)
    (session, last) = try RecordedStrap.store(in: database)
  }

  private func minutes(_ count: Int) -> WallTime { session.start.advanced(by: .seconds(60 * count)) }

  private func follow(_ now: WallTime, rest: Duration?, recorded: Bool = true) throws -> [NightKeeper.Change] {
    try keeper.follow(recorded ? [session.id] : [], at: now) { _ in rest }
  }

  // MARK: - By hand

  @Test func testNight_HasItsTimesAndStages() throws {
    let now = last.advanced(by: .seconds(5))
    let begun = try keeper.begin(at: minutes(1), origin: .command)
    #expect(begun.session == session.id && begun.origin == .command && begun.lightsOn == nil)
    #expect(abs(session.wall(begun.lightsOff).duration(since: minutes(1)).inSeconds) < 1)
    #expect(try nights.running() == [begun])
    let ended = try keeper.end(at: now)
    let lightsOn = try #require(ended.lightsOn)
    #expect(lightsOn <= session.monotonic(now) && lightsOn.microseconds(since: begun.lightsOff) % 30_000_000 == 0)
    let staging = try #require(ended.staging)
    #expect(staging.periods.first?.start == begun.lightsOff && staging.periods.last?.end == lightsOn)
    #expect(try nights.night(of: session.id) == ended)
    #expect(try nights.running().isEmpty)
  }

  @Test func testSecondBeginning_IsRefused() throws {
    _ = try keeper.begin(at: last, origin: .page)
    #expect(throws: NightKeeper.Failure.hasBegun(session: session.id)) { try keeper.begin(at: last, origin: .page) }
    _ = try keeper.end(at: last)
    #expect(throws: NightKeeper.Failure.hasEnded(session: session.id)) {
      try keeper.begin(session.id, at: last, origin: .page)
    }
    #expect(throws: NightKeeper.Failure.hasEnded(session: session.id)) { try keeper.end(session.id, at: last) }
    #expect(throws: NightKeeper.Failure.noNight) { try keeper.end(at: last) }
  }

  @Test func testWithoutRecording_NothingBegins() throws {
    try repository.finish(session.id)
    #expect(throws: NightKeeper.Failure.nothingIsRecorded) { try keeper.begin(at: last, origin: .page) }
    #expect(throws: NightKeeper.Failure.isNotRecorded(session: session.id)) {
      try keeper.begin(session.id, at: last, origin: .page)
    }
    #expect(throws: NightKeeper.Failure.noNight) { try keeper.end(session.id, at: last) }
  }

  @Test func testSessionOfAKilledRecorder_ReceivesNoNight() throws {
    let later = last.advanced(by: .seconds(7_200))
    #expect(throws: NightKeeper.Failure.nothingIsRecorded) { try keeper.begin(at: later, origin: .page) }
  }

  /// The night ends when the strap was taken off, not when the person remembers to say so.
  @Test func testEnd_IsNotAfterTheLastBeat() throws {
    let begun = try keeper.begin(at: minutes(1), origin: .page)
    let ended = try keeper.end(at: last.advanced(by: .seconds(1_800)))
    let lightsOn = try #require(ended.lightsOn)
    #expect(session.wall(lightsOn) <= last.advanced(by: .seconds(1)))
    #expect(lightsOn > begun.lightsOff)
  }

  @Test func testNightOfAMoment_HasNoStages() throws {
    _ = try keeper.begin(at: last, origin: .page)
    let ended = try keeper.end(at: last.advanced(by: .seconds(10)))
    #expect(ended.staging == nil && ended.lightsOn == ended.lightsOff)
  }

  // MARK: - By itself

  @Test func testUsualHours_BeginANight() throws {
    #expect(try follow(last, rest: nil).isEmpty)
    #expect(try follow(last, rest: .seconds(1_800)).isEmpty)
    #expect(try follow(last.advanced(by: .seconds(600)), rest: .seconds(20_000)).isEmpty)
    #expect(try follow(last, rest: .seconds(20_000), recorded: false).isEmpty)
    #expect(try follow(last, rest: .seconds(20_000)) == [.began(session: session.id)])
    #expect(try nights.running().map(\.origin) == [.automatic])
    #expect(try follow(last, rest: .seconds(20_000)).isEmpty)
  }

  /// Somebody said that it is none.
  @Test func testDeclinedSession_IsNoNightByItself() throws {
    let changes = try keeper.follow([session.id], except: [session.id], at: last) { _ in .seconds(20_000) }
    #expect(changes.isEmpty)
    #expect(try nights.running().isEmpty)
  }

  /// As after `record`, which nobody follows.
  @Test func testNightsOfEndedRecordings_AreOver() throws {
    _ = try keeper.begin(at: minutes(1), origin: .command)
    #expect(try keeper.endThose(of: ["another"], at: last).isEmpty)
    #expect(try keeper.endThose(of: [session.id], at: last).map(\.session) == [session.id])
    #expect(try nights.night(of: session.id)?.lightsOn != nil)
  }

  @Test func testEndOfTheHours_EndsOnlyNightsThatBeganByThemselves() throws {
    _ = try follow(last, rest: .seconds(20_000))
    #expect(try follow(last, rest: nil) == [.ended(session: session.id)])
    #expect(try nights.forget(session.id))
    _ = try keeper.begin(at: last, origin: .page)
    #expect(try follow(last, rest: nil).isEmpty)
  }

  @Test func testStrapThatWasTakenOff_EndsTheNight() throws {
    _ = try keeper.begin(at: minutes(1), origin: .page)
    #expect(try follow(last.advanced(by: .seconds(3_500)), rest: .seconds(9_000)).isEmpty)
    #expect(try follow(last.advanced(by: .seconds(3_700)), rest: .seconds(9_000)) == [.ended(session: session.id)])
    let night = try #require(try nights.night(of: session.id))
    #expect(night.staging != nil)
    #expect(session.wall(try #require(night.lightsOn)) <= last.advanced(by: .seconds(1)))
  }

  @Test func testEndOfTheSession_EndsTheNight() throws {
    _ = try keeper.begin(at: minutes(1), origin: .command)
    try repository.finish(session.id)
    #expect(try follow(last, rest: .seconds(9_000)) == [.ended(session: session.id)])
  }
}

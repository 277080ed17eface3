import Repository
import TachogramCore
import Testing

@Suite("Nights")
struct SleepRepositoryTests {
  private let database: TachogramDatabase
  private let nights: SleepRepository
  private static let other = SessionFixture.identifier(2)

  init() throws {
    database = try .inMemory()
    nights = SleepRepository(database: database)
    let sessions = SessionRepository(database: database)
    try sessions.begin(SessionFixture.description(person: "Anna"), with: SessionFixture.batch(0..<20))
    try sessions.begin(
      SessionFixture.description(id: Self.other, startSecond: 86_400), with: SessionFixture.batch(0..<20))
  }

  private static func time(_ second: Int64) -> MonotonicTime {
    MonotonicTime(microseconds: SessionFixture.monotonicStart + second * 1_000_000)
  }

  private static func night(_ session: String = SessionFixture.id) -> SleepSession {
    SleepSession(
      session: session, origin: .page, lightsOff: time(0), lightsOn: time(28_800),
      staging: SleepSession.Staging(
        estimator: "test",
        periods: SleepStage.allCases.enumerated().map { place, stage in
          SleepStagePeriod(start: time(Int64(place) * 60), end: time(Int64(place) * 60 + 60), stage: stage)
        }, lowestHeartRate: 47.5, meanHeartRate: 54.25, rmssd: nil))
  }

  private static let always = WallTime(microseconds: .min)...WallTime(microseconds: .max)

  @Test func testNight_IsReadAsItWasStored() throws {
    #expect(try nights.night(of: SessionFixture.id) == nil)
    try nights.store(Self.night())
    #expect(try nights.night(of: SessionFixture.id) == Self.night())
    #expect(try nights.nights(of: "Anna", startingIn: Self.always) == [Self.night()])
    #expect(try nights.nights(of: nil, startingIn: Self.always) == [])
    #expect(try nights.nights(of: "Bert", startingIn: Self.always) == [])
    #expect(throws: RepositoryError.self) { try nights.night(of: SessionFixture.identifier(3)) }
  }

  @Test func testNightThatIsStoredAgain_ReplacesItsStages() throws {
    try nights.store(Self.night())
    var changed = Self.night()
    changed.staging?.periods = [SleepStagePeriod(start: Self.time(30), end: Self.time(90), stage: .deep)]
    changed.lightsOff = Self.time(30)
    try nights.store(changed)
    #expect(try nights.night(of: SessionFixture.id) == changed)
    changed.staging = nil
    changed.lightsOn = nil
    try nights.store(changed)
    #expect(try nights.night(of: SessionFixture.id) == changed)
    #expect(try nights.running() == [changed])
  }

  @Test func testPeriodsOutOfOrder_ChangeNothing() throws {
    try nights.store(Self.night())
    var wrong = Self.night()
    wrong.staging?.periods.swapAt(0, 1)
    #expect(throws: RepositoryError.self) { try nights.store(wrong) }
    wrong.staging?.periods = [SleepStagePeriod(start: Self.time(5), end: Self.time(5), stage: .rem)]
    #expect(throws: RepositoryError.self) { try nights.store(wrong) }
    #expect(try nights.night(of: SessionFixture.id) == Self.night())
  }

  @Test func testEpochs_AreReadInOrderAndReplaced() throws {
    let movement = (0..<3).map { MovementEpoch(time: Self.time($0 * 30), intensity: Double($0) / 3, coverage: 1) }
    try nights.store(Array(movement.reversed()), of: SessionFixture.id)
    #expect(try nights.movement(of: SessionFixture.id) == movement)
    let second = MovementEpoch(time: Self.time(30), intensity: 9.5, coverage: 0.5)
    try nights.store([second], of: SessionFixture.id)
    #expect(try nights.movement(of: SessionFixture.id) == [movement[0], second, movement[2]])
    let sound = [SoundSample(time: Self.time(0), level: -63.5, peak: -20)]
    try nights.store(sound, of: SessionFixture.id)
    #expect(try nights.sound(of: SessionFixture.id) == sound)
    #expect(try nights.sound(of: Self.other) == [])
  }

  @Test func testNight_IsForgottenAndGoesWithItsSession() throws {
    try nights.store(Self.night())
    try nights.store(Self.night(Self.other))
    #expect(try nights.forget(Self.other) && !nights.forget(Self.other))
    #expect(try SessionRepository(database: database).sessions().count == 2)
    var selection = SessionSelection()
    selection.person = "Anna"
    _ = try DeletionRepository(database: database).delete(selection)
    #expect(try nights.running() == [] && nights.nights(of: "Anna", startingIn: Self.always) == [])
    #expect(try database.checkIntegrity() == [])
  }
}

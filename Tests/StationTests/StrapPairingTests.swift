import BlueZ
import DBus
import Dashboard
import FakeBlueZ
import Listening
import Logging
import Repository
import Sessions
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

/// Pairing on behalf of the page, with the fake daemon on a private bus.
@Suite("Pairing at the station", .timeLimit(.minutes(5)))
struct StrapPairingTests {
  private struct Bench {
    let folder: TemporaryFolder
    let bus: PrivateBus
    let fake: FakeBlueZ
    let database: TachogramDatabase
    let source: BlueZRadioSource
    let follower: StrapFollower
    let pairing: StrapPairing

    /// Creates a pairing. By default it lasts longer than any test on a busy machine.
    init(
      time: any TimeSourceProtocol = SystemTimeSource(), window: Duration = .seconds(3_600), hasPasskey: Bool = false
    ) async throws {
      folder = try TemporaryFolder()
      bus = try await PrivateBus.start()
      fake = try await FakeBlueZ.start(on: .address(bus.address))
      database = try TachogramDatabase.open(path: folder.path("t.sqlite"))
      var options = BlueZSourceOptions(straps: [])
      options.bus = .address(bus.address)
      source = BlueZRadioSource(options, time: SystemTimeSource())
      follower = StrapFollower(
        radio: source, database: database, logger: Logger(label: "test"))
      pairing = StrapPairing(
        radio: RadioChoice(bus: .address(bus.address), adapter: nil), database: database, follower: follower,
        time: time,
        window: window, hasPasskey: hasPasskey)
    }

    func stop() async throws {
      await pairing.end()
      await source.stop()
      await fake.stop()
      try database.close()
    }

    /// Returns the first state that fulfils a condition. Throws if the pairing fails before.
    func state(_ condition: (API.Pairing) -> Bool) async throws -> API.Pairing {
      while true {
        let state = await pairing.state()
        if condition(state) { return state }
        try #require(state.phase != .failed, "\(state)")
        try Task.checkCancellation()
        await Task.yield()
      }
    }

    func choose(_ strap: FakeStrap) async throws {
      try await pairing.begin()
      await fake.advertise(strap)
      _ = try await state { $0.straps?.isEmpty == false }
      try await pairing.choose(strap.address)
    }

    func known() throws -> [KnownStrap] { try StrapRepository(database: database).straps() }

    /// Sends readings until the pairing has ended.
    func notify(_ strap: FakeStrap) async throws -> API.Pairing {
      var rate: UInt8 = 60
      await fake.subscribed(strap)
      while true {
        let state = await pairing.state()
        if state.phase != .connecting { return state }
        await fake.notify(strap, [0x10, rate, 0x00, 0x04])
        rate = rate == 99 ? 60 : rate + 1
        try Task.checkCancellation()
        await Task.yield()
      }
    }
  }

  private static func strap(_ pairing: FakeStrap.Pairing) -> FakeStrap {
    var strap = FakeStrap()
    strap.pairing = pairing
    strap.requiresBond = true
    return strap
  }

  @Test func testStrapWithPasskey_IsPairedWithThreeReadings() async throws {
    let bench = try await Bench()
    let strap = Self.strap(.passkeyShownByStrap(123_456))
    try await bench.choose(strap)
    let asked = try await bench.state { $0.question != nil }
    #expect(asked.phase == .connecting && asked.question?.kind == .passkey && asked.question?.number == nil)
    await #expect(throws: DashboardError.self) { try await bench.pairing.answer(.matches(true)) }
    try await bench.pairing.answer(.passkey(123_456))
    let paired = try await bench.notify(strap)
    #expect(paired.phase == .paired, "\(paired.problem ?? "")")
    #expect(paired.readings?.count == 3 && paired.readings?.first?.intervals == [1000])
    #expect(paired.strap?.isBonded == true && paired.problem == nil)
    #expect(try bench.known().map(\.address) == [strap.address])
    #expect(try bench.known().first?.isBonded == true)
    try await bench.stop()
  }

  @Test(arguments: [true, false])
  func testRefusedPasskey_NamesThatOfTheConfiguration(hasPasskey: Bool) async throws {
    let bench = try await Bench(hasPasskey: hasPasskey)
    try await bench.choose(Self.strap(.refused))
    let failed = try await bench.state { $0.phase == .failed }
    let problem = try #require(failed.problem)
    #expect(problem.contains("refuses to be paired; check the passkey") && !problem.contains("?"), "\(problem)")
    #expect(problem.contains("radio.passkey") == hasPasskey && problem.hasSuffix(".") && !problem.hasSuffix(".."))
    try await bench.stop()
  }

  @Test(arguments: [true, false]) func testStrapThatShowsANumber_IsPairedIfItMatches(matches: Bool) async throws {
    let bench = try await Bench()
    let strap = Self.strap(.confirmation(7))
    try await bench.choose(strap)
    let asked = try await bench.state { $0.question != nil }
    #expect(asked.question?.kind == .comparison && asked.question?.number == "000007")
    try await bench.pairing.answer(.matches(matches))
    if matches {
      #expect(try await bench.notify(strap).phase == .paired)
    } else {
      // The strap may be asked once more.
      _ = try await bench.state { $0.question != nil || $0.phase == .failed }
      try? await bench.pairing.answer(.matches(false))
      let failed = try await bench.state { $0.phase == .failed }
      #expect(failed.problem?.contains("refuses to be paired") == true)
      #expect(try bench.known().isEmpty)
    }
    try await bench.stop()
  }

  @Test func testNumberForTheStrap_IsShown() async throws {
    let bench = try await Bench()
    let strap = Self.strap(.passkeyTypedIntoStrap(correctly: true))
    try await bench.choose(strap)
    #expect(try await bench.notify(strap).phase == .paired)
    try await bench.stop()
  }

  @Test func testEndedPairing_RefusesTheStrap() async throws {
    let bench = try await Bench()
    let strap = Self.strap(.passkeyShownByStrap(123_456))
    try await bench.choose(strap)
    _ = try await bench.state { $0.question != nil }
    await bench.pairing.end()
    #expect(await bench.pairing.state().phase == .closed)
    await #expect(throws: DashboardError.self) { try await bench.pairing.answer(.passkey(123_456)) }
    #expect(await bench.fake.world.devices.values.allSatisfy { !$0.isBonded })
    #expect(try bench.known().isEmpty)
    // And can be begun again.
    try await bench.choose(strap)
    _ = try await bench.state { $0.question != nil }
    try await bench.pairing.answer(.passkey(123_456))
    #expect(try await bench.notify(strap).phase == .paired)
    try await bench.stop()
  }

  @Test func testStepsOutOfOrder_AreRefused() async throws {
    let bench = try await Bench()
    let strap = FakeStrap()
    await #expect(throws: DashboardError.self) { try await bench.pairing.choose(strap.address) }
    try await bench.pairing.begin()
    await #expect(throws: DashboardError.self) { try await bench.pairing.begin() }
    await #expect(throws: DashboardError.self) { try await bench.pairing.choose(strap.address) }
    let state = await bench.pairing.state()
    #expect(state.phase == .searching && (1...3_600).contains(state.secondsLeft ?? 0))
    try await bench.stop()
  }

  @Test func testSearch_EndsAfterAMinute() async throws {
    let bench = try await Bench(time: ScaledTimeSource(factor: 300), window: StrapPairing.window)
    try await bench.pairing.begin()
    let failed = try await bench.state { $0.phase == .failed }
    #expect(failed.problem?.hasPrefix("no strap was found") == true && failed.secondsLeft == nil)
    try await bench.stop()
  }

  @Test func testBusWithoutDaemon_IsSaid() async throws {
    let bench = try await Bench(time: ScaledTimeSource(factor: 300), window: StrapPairing.window)
    await bench.fake.killDaemon()
    try await bench.pairing.begin()
    let failed = try await bench.state { $0.phase == .failed }
    #expect(failed.problem?.contains("the Bluetooth daemon is not running") == true, "\(failed.problem ?? "")")
    try await bench.stop()
  }

  /// The station, which records the first strap in range, lets go of it for as long as it is paired.
  @Test func testStationThatFollowsTheStrap_ReleasesItMeanwhile() async throws {
    let bench = try await Bench()
    let strap = FakeStrap()
    let events = bench.source.events()
    let listening = Task { for await _ in events {} }
    await bench.follower.follow([]) { _ in }
    await bench.fake.advertise(strap)
    await bench.fake.subscribed(strap)
    try await bench.pairing.begin()
    _ = try await bench.state { $0.straps?.isEmpty == false }
    try await bench.pairing.choose(strap.address)
    while await bench.fake.calls(of: "Connect") < 2, await bench.pairing.state().phase == .connecting {
      try Task.checkCancellation()
      await Task.yield()
    }
    let paired = try await bench.notify(strap)
    #expect(paired.phase == .paired && paired.readings?.count == 3, "\(paired.problem ?? "")")
    // Then the station follows it again.
    await bench.follower.follow([]) { _ in }
    while await bench.fake.calls(of: "Connect") < 3 {
      try Task.checkCancellation()
      await Task.yield()
    }
    await bench.fake.subscribed(strap)
    listening.cancel()
    try await bench.stop()
  }
}

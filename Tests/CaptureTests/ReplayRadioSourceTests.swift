import Capture
import Foundation
import TachogramContracts
import TachogramCore
import TachogramTestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ReplayRadioSourceTests {
  /// How a source plays.
  struct Pace: Sendable, CustomTestStringConvertible {
    var speed: Double?
    var repeats = false
    /// Simulated seconds a real one.
    var factor = 10_000

    var testDescription: String { "speed \(speed.map { "\($0)" } ?? "none")\(repeats ? ", repeating" : "")" }

    static let all = [
      Pace(), Pace(repeats: true), Pace(speed: 1), Pace(speed: 0.5, repeats: true), Pace(speed: 7, repeats: true),
      Pace(speed: 1e300), Pace(speed: 1e300, repeats: true), Pace(speed: .infinity),
      Pace(speed: .leastNonzeroMagnitude),
      Pace(speed: 0), Pace(speed: -1), Pace(speed: .nan),
    ]
  }

  private static let fixtures = ["rest", "two-straps", "two-links", "equal-beats", "damaged-middle", "malformed"]

  private static func path(_ fixture: String) throws -> String {
    try FixtureLocator.capture(fixture)
  }

  private static func source(_ path: String, _ pace: Pace) throws -> (ReplayRadioSource, [Int: [[UInt8]]]) {
    let replay = CaptureReplay(path: path)
    let plan = try replay.plan()
    var values: [Int: [[UInt8]]] = [:]
    try replay.forEachEntry(plan) { if let value = $1.notification { values[$0, default: []].append(value) } }
    let source = ReplayRadioSource(
      replay, plan: plan, time: ScaledTimeSource(factor: pace.factor), speed: pace.speed, repeats: pace.repeats)
    return (source, values)
  }

  /// The events of a capture of these bytes, up to the end.
  private static func events(_ bytes: [UInt8], _ pace: Pace = Pace()) async throws -> [StrapEvent] {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("tachogram-\(UUID().uuidString)")
    try Data(bytes).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let (source, _) = try source(path.path, pace)
    var events: [StrapEvent] = []
    for await event in source.events() { events.append(event) }
    return events
  }

  // MARK: - The contract

  @Test(arguments: fixtures)
  func testContract_IsKeptForEveryCapture(fixture: String) async throws {
    let path = try Self.path(fixture)
    for pace in [Pace(), Pace(speed: 1), Pace(speed: 1, repeats: true)] {
      try await Self.contract(path, pace).check()
    }
  }

  @Test(arguments: Pace.all)
  func testContract_IsKeptAtEverySpeed(pace: Pace) async throws {
    let contract = try Self.contract(Self.path("two-links"), pace)
    // What takes for ever can only be stopped.
    if pace.speed == .leastNonzeroMagnitude {
      try await contract.checkStopEndsTheStreamInOrder()
      try await contract.checkStopCanBeRepeated()
    } else {
      try await contract.check()
    }
  }

  private static func contract(_ path: String, _ pace: Pace) -> RadioSourceContract {
    let repeats = pace.repeats && (pace.speed ?? 0) > 0
    return RadioSourceContract {
      let (source, values) = try source(path, pace)
      return RadioSourceSubject(source: source, values: values, endsByItself: !repeats, repeats: repeats)
    }
  }

  // MARK: - Times

  @Test func testSpeed_DividesTheDistances() async throws {
    let bytes = PacketScript.session()
    let events = try await Self.events(CaptureWrapping.btsnoop(bytes), Pace(speed: 2))
    let notified = events.filter { if case .notification = $0.content { true } else { false } }
    #expect(notified.count == 3)
    for (earlier, later) in zip(notified, notified.dropFirst()) {
      #expect(abs(later.monotonic.microseconds(since: earlier.monotonic) - 500_000) <= 1)
      #expect(abs(later.wall.microseconds - earlier.wall.microseconds - 500_000) <= 1)
    }
  }

  @Test func testNoSpeed_KeepsTheTimesOfTheCaptureThoughItsClockSteps() async throws {
    // Given: an hour back at the third notification
    var script = PacketScript()
    script.connect()
    script.discover()
    for index in 0..<4 {
      script.time = PacketScript.start + 10_000_000 + Int64(index) * 1_000_000 - (index > 1 ? 3_600_000_000 : 0)
      script.notify([0x06, UInt8(60 + index)])
    }
    // When
    let events = try await Self.events(CaptureWrapping.btsnoop(script))
    // Then
    let notified = events.filter { if case .notification = $0.content { true } else { false } }
    #expect(notified.map(\.wall.microseconds) == script.packets.suffix(4).map(\.time))
    let steps = zip(notified, notified.dropFirst()).map { $1.monotonic.microseconds(since: $0.monotonic) }
    #expect(steps == [1_000_000, 0, 1_000_000])
  }

  // MARK: - Links

  @Test func testLinkWithoutItsEnd_EndsBeforeTheNextAndWithTheCapture() async throws {
    // Given: the strap is connected to again, on another handle of the controller; neither end was captured
    var script = PacketScript()
    for connection: UInt16 in [0x40, 0x41] {
      script.connection = connection
      script.connect()
      script.discover()
      script.subscribe()
      for value in PacketScript.values { script.notify(value) }
    }
    // When
    let events = try await Self.events(CaptureWrapping.btsnoop(script))
    // Then
    let links = events.compactMap { event -> String? in
      switch event.content {
      case .linkUp: "up"
      case .linkDown(let reason): "down \(reason)"
      case .notification: "value"
      default: nil
      }
    }
    #expect(links == ["up", "value", "value", "value", "down 0", "up", "value", "value", "value", "down 22"])
  }

  /// A file that has lost its name is read all the same; one that was emptied has nothing to tell.
  @Test(arguments: [true, false])
  func testCaptureThatIsGone_EndsTheStream(isEmptied: Bool) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("tachogram-\(UUID().uuidString)")
    try Data(CaptureWrapping.btsnoop(PacketScript.session())).write(to: path)
    let replay = CaptureReplay(path: path.path)
    let source = ReplayRadioSource(replay, plan: try replay.plan(), time: ScaledTimeSource(factor: 1000))
    if isEmptied { try #require(truncate(path.path, 0) == 0) }
    try FileManager.default.removeItem(at: path)
    var count = 0
    for await _ in source.events() { count += 1 }
    #expect((count == 0) == isEmptied)
  }
}

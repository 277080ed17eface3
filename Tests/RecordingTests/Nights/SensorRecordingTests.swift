import FoundationEssentials
import GATT
import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// What straps send beside the heart rate is stored with the session.
@Suite("Recording of sensor entries")
struct SensorRecordingTests {
  private let database: TachogramDatabase
  private let repository: SessionRepository

  init() throws {
    database = try TachogramDatabase.inMemory()
    repository = SessionRepository(database: database)
  }

  private static let started = SensorScript.started

  /// A frame of a second; the strap turns with each.
  private static func frame(_ number: Int) -> SensorEntry.Content {
    SensorScript.frame(number, x: number % 2 * 100)
  }

  private func record(_ events: [StrapEvent], resumes: Bool = false) async throws -> String {
    let recorder = LiveRecorder(
      source: ScriptedSource(events), options: LiveOptions(resumes: resumes), time: ScaledTimeSource(factor: 1),
      database: database, observe: { _ in })
    return try #require(try await recorder.run().first?.report.session.id)
  }

  private func entries(_ session: String) throws -> [SensorEntry] {
    var entries: [SensorEntry] = []
    try SensorRepository(database: database).forEachEntry(of: session) { entries += $0 }
    return entries
  }

  private func movement(_ session: String) throws -> [MovementEpoch] {
    try SleepRepository(database: database).movement(of: session)
  }

  /// A second of heart rate and movement.
  private static func second(_ number: Int, _ script: inout EventScript) {
    script.notify(1)
    script.add(.sensor(frame(number)))
  }

  @Test func testEntries_AreStoredInOrderWithTheirMovement() async throws {
    var script = EventScript()
    script.up()
    script.add(.sensor(Self.started))
    script.add(.sensor(Self.frame(0)))
    for number in 1...65 { Self.second(number, &script) }
    script.add(.sensor(.stopped([1, 2])))
    script.add(.linkDown(reason: 0x13))
    let session = try await record(script.events)
    let found = try entries(session)
    #expect(found.map(\.sequence) == Array(0..<68))
    #expect(found.map(\.content) == [Self.started] + (0...65).map(Self.frame) + [.stopped([1, 2])])
    #expect(found.allSatisfy { $0.link == 0 })
    let movement = try movement(session)
    let start = try repository.session(matching: session).description.monotonicStart
    #expect(movement.map { $0.time.microseconds(since: start) } == [0, 30_000_000, 60_000_000])
    #expect(movement.allSatisfy { $0.intensity > 10 })
    #expect(try repository.links(of: session).count == 1)
  }

  /// A link on which only movement arrives is a link of the session.
  @Test func testLinks_AreThoseOfTheLedger() async throws {
    var script = EventScript()
    script.up()
    script.add(.sensor(Self.started))
    for number in 0..<10 { Self.second(number, &script) }
    script.add(.linkDown(reason: 0x08))
    script.up()
    script.add(.sensor(Self.started))
    script.add(.sensor(Self.frame(20)))
    script.add(.linkDown(reason: 0x08))
    script.up()
    script.add(.sensor(Self.started))
    for number in 30..<40 { Self.second(number, &script) }
    let session = try await record(script.events)
    #expect(
      try entries(session).map(\.link) == Array(repeating: 0, count: 11) + [1, 1] + Array(repeating: 2, count: 11))
    #expect(try repository.links(of: session).map(\.number) == [0, 1, 2])
  }

  @Test func testInterruptedSession_IsContinued() async throws {
    func script(_ numbers: Range<Int>, _ script: inout EventScript) {
      script.up()
      script.add(.sensor(Self.started))
      for number in numbers { Self.second(number, &script) }
    }
    var events = EventScript()
    script(0..<40, &events)
    let first = try await record(events.events)
    try repository.begin(try repository.session(matching: first).description)
    events.restart(seconds: 5)
    script(45..<100, &events)
    #expect(try await record(events.events, resumes: true) == first)
    let found = try entries(first)
    #expect(found.map(\.sequence) == Array(0..<97))
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.monotonic <= $1.monotonic })
    // The movement is that of all entries, as if there had been no interruption but on the radio.
    var deriver = MovementDeriver(start: try repository.session(matching: first).description.monotonicStart)
    for entry in found {
      if case .started = entry.content { deriver.linkDown() }
      deriver.ingest(entry)
    }
    deriver.finish()
    #expect(try movement(first) == deriver.drain())
    #expect(try movement(first).count == 4)
  }

  /// Beats may derive from pulse intervals, so they outlive the other frames.
  @Test func testPulseIntervals_AreInTheLedger() async throws {
    func pulses(_ number: Int) -> [UInt8] {
      let samples = (0..<5).map { PolarPPISample(heartRate: 60, interval: UInt16(995 + $0), errorEstimate: 5) }
      return PolarPPICodec.encode(samples, time: UInt64(number))
    }
    var script = EventScript()
    script.up()
    script.add(.sensor(.frame(pulses(0))))
    for number in 1...100 {
      script.add(.notification([0x00, 60]))
      if number % 5 == 0 { script.add(.sensor(.frame(pulses(number)))) }
      script.pass(seconds: 1)
    }
    let session = try await record(script.events)
    var stored: [LedgerEntry] = []
    try repository.forEachEntry(of: session) { stored += $0 }
    #expect(stored.map(\.sequence) == Array(0..<120))
    #expect(stored.compactMap { if case .pulseIntervals(let frame) = $0.content { frame } else { nil } }.count == 20)
    // What arrived before the session began is no part of its ledger.
    #expect(try entries(session).map(\.content) == [.frame(pulses(0))])
    #expect(try repository.session(matching: session).beatCount == 100)
    #expect(try repository.gaps(of: session).isEmpty)
    // A stored session derives to the same again.
    var (before, after) = ([Beat](), [Beat]())
    try repository.forEachBeat(of: session) { before += $0 }
    try SessionReprocessor(database: database).restore(try repository.session(matching: session), kind: .rmssd)
    try repository.forEachBeat(of: session) { after += $0 }
    #expect(before == after)
  }

  @Test func testWithoutHeartRate_NothingIsASession() async throws {
    var script = EventScript()
    script.up()
    script.add(.sensor(Self.started))
    for number in 0..<10 { script.add(.sensor(Self.frame(number))) }
    let recorder = LiveRecorder(
      source: ScriptedSource(script.events), options: LiveOptions(), time: ScaledTimeSource(factor: 1),
      database: database, observe: { _ in })
    #expect(try await recorder.run().isEmpty)
    #expect(try repository.sessions().isEmpty)
  }

  /// The next session of a link on which a stream runs has the start of it, without which its frames cannot be read.
  @Test func testNextSessionOfALink_HasTheStartOfItsStream() async throws {
    var bench = RecorderBench(
      database: database, options: LiveOptions(endAfter: .seconds(60)),
      clock: ManualTimeSource(epoch: 100_000_000_000_000))
    var script = EventScript()
    script.up()
    script.add(.sensor(Self.started))
    for number in 0..<10 { Self.second(number, &script) }
    await bench.hear(script.events[...])
    await bench.pass(seconds: 80)
    let emitted = script.events.count
    script.pass(seconds: 80)
    for number in 90..<100 { Self.second(number, &script) }
    await bench.hear(script.events[emitted...])
    await bench.pass(seconds: 2)
    let sessions = try repository.sessions().map(\.description.id)
    try #require(sessions.count == 2)
    #expect(try entries(sessions[0]).map(\.content) == [Self.started] + (90..<100).map(Self.frame))
    #expect(try entries(sessions[1]).map(\.content) == [Self.started] + (0..<10).map(Self.frame))
    #expect(try await bench.end().count == 1)
  }

  @Test func testSessionThatIsDeleted_IsFollowedByOneWithTheSameEntries() async throws {
    var bench = RecorderBench(
      database: database, options: LiveOptions(resumes: true), clock: ManualTimeSource(epoch: 100_000_000_000_000))
    var script = EventScript()
    script.up()
    script.add(.sensor(Self.started))
    for number in 0..<10 { Self.second(number, &script) }
    await bench.hear(script.events[...])
    await bench.pass(seconds: 2)
    let first = try #require(try repository.sessions().first?.description.id)
    try DeletionRepository(database: database).delete(SessionSelection())
    let emitted = script.events.count
    for number in 10..<20 { Self.second(number, &script) }
    await bench.hear(script.events[emitted...])
    await bench.pass(seconds: 2)
    let second = try #require(try repository.sessions().first?.description.id)
    #expect(second != first)
    #expect(try entries(second).map(\.content) == [Self.started] + (10..<20).map(Self.frame))
    _ = try await bench.end()
  }
}

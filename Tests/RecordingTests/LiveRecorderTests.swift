import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Live recorder")
struct LiveRecorderTests {
  private static func record(
    _ events: [StrapEvent], options: LiveOptions = LiveOptions(),
  ) async throws -> (ended: [LiveRecorder.Ended], repository: SessionRepository) {
    let database = try TachogramDatabase.inMemory()
    let recorder = LiveRecorder(
      source: ScriptedSource(events), options: options, time: ScaledTimeSource(factor: 1), database: database,
      observe: { _ in })
    return (try await recorder.run(), SessionRepository(database: database))
  }

  private static func entries(_ repository: SessionRepository, _ session: String) throws -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    try repository.forEachEntry(of: session) { entries += $0 }
    return entries
  }

  @Test func testNotifications_AreTheLedger() async throws {
    var script = EventScript()
    script.up()
    script.notify(90)
    script.add(.linkDown(reason: 0x13))
    var options = LiveOptions(person: "anna", label: "rest")
    options.deviceID = "here"
    let (ended, repository) = try await Self.record(script.events, options: options)
    let session = try #require(ended.first?.report.session)
    let entries = try Self.entries(repository, session.id)
    let sent = script.events.compactMap { event -> LedgerEntry.Content? in
      switch event.content {
      case .notification(let value): .notification(value)
      case .linkDown(let reason): .linkDown(reason: reason)
      default: nil
      }
    }
    #expect(entries.map(\.content) == sent)
    #expect(entries.map(\.sequence) == Array(0..<Int64(sent.count)))
    let record = try repository.session(matching: session.id)
    #expect(record.isComplete)
    #expect(record.description.origin == .live)
    #expect(record.description.person == "anna")
    #expect(record.description.label == "rest")
    #expect(record.description.deviceID == "here")
    #expect(try Set(repository.stress(of: session.id).map(\.deviceID)) == ["here"])
    #expect(record.beatCount == 90)
  }

  @Test func testLinkLoss_KeepsOneSessionWithAGap() async throws {
    var script = EventScript()
    script.up()
    script.notify(30)
    script.add(.linkDown(reason: 0x08))
    script.pass(seconds: 40)
    script.up(handle: 0x22)
    script.notify(30)
    let (ended, repository) = try await Self.record(script.events)
    #expect(ended.count == 1)
    let session = try #require(ended.first?.report.session.id)
    let gaps = try repository.gaps(of: session)
    #expect(gaps.count == 1)
    #expect(abs(Double(gaps.first?.microseconds ?? 0) / 1e6 - 40) < 1.5)
    #expect(try repository.links(of: session).map(\.handle) == [0x12, 0x22])
    #expect(ended.first?.statistics.links == 2)
    #expect(ended.first?.statistics.drops == [0x08: 1])
    #expect(ended.first?.statistics.longestOutage == 41)
  }

  @Test func testLinksThatNeverNotified_LeaveNoTrace() async throws {
    var script = EventScript()
    for _ in 0..<5 {
      script.up()
      script.add(.linkDown(reason: 0x3E))
    }
    script.up(handle: 0x30)
    script.notify(3)
    let (ended, repository) = try await Self.record(script.events)
    let session = try #require(ended.first?.report.session.id)
    #expect(try repository.links(of: session).map(\.number) == [0])
    #expect(try Self.entries(repository, session).count == 3)
  }

  /// Writing is part of the interval: what is heard right after a commit is on the disk before the interval is over.
  @Test(arguments: [(interval: Int64(1_000_000), pause: Int64(900_000)), (10_000_000, 9_900_000)])
  func testWhatIsHeard_IsStoredWithinTheCommitInterval(interval: Int64, pause: Int64) async throws {
    let database = try TachogramDatabase.inMemory()
    let repository = SessionRepository(database: database)
    var bench = RecorderBench(
      database: database, options: LiveOptions(commitInterval: .microseconds(interval)), clock: ManualTimeSource())
    var script = EventScript()
    script.up()
    script.notify(1)
    await bench.pass(microseconds: pause)
    await bench.hear(script.events)
    await bench.pass(microseconds: pause - 1)
    #expect(try repository.sessions().isEmpty)
    await bench.pass(microseconds: 1)
    #expect(try repository.sessions().map(\.entryCount) == [1])
    _ = try await bench.end()
  }

  @Test func testNothingHeard_IsNoSession() async throws {
    var script = EventScript()
    script.up()
    let (ended, repository) = try await Self.record(script.events)
    #expect(ended.isEmpty)
    #expect(try repository.sessions().isEmpty)
  }

  @Test func testWhatIsLearntLater_IsStored() async throws {
    var script = EventScript()
    script.up()
    script.notify(2)
    let address = BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random)
    script.add(.identified(StrapIdentity(address: address, characteristics: [0x2A19: [77]])))
    script.notify(2)
    let (ended, repository) = try await Self.record(script.events)
    let session = try #require(ended.first?.report.session.id)
    #expect(try repository.session(matching: session).description.strap.characteristics[0x2A19] == [77])
  }

  @Test func testTwoStraps_AreTwoSessions() async throws {
    var one = EventScript(strap: 0)
    var two = EventScript(strap: 1)
    one.up()
    two.up()
    one.notify(10)
    two.notify(20)
    let events = (one.events + two.events).sorted { $0.monotonic < $1.monotonic }
    let (ended, _) = try await Self.record(events)
    #expect(ended.map(\.report.notifications.total) == [10, 20])
  }

  @Test func testDuration_EndsTheRecordingInOrder() async throws {
    let database = try TachogramDatabase.inMemory()
    let time = ScaledTimeSource(factor: 1000)
    var script = EventScript()
    script.up()
    let now = time.now()
    let first = StrapEvent(
      strap: 0, monotonic: now.monotonic, wall: now.wall, content: .notification([0x10, 60, 0, 4]))
    let recorder = LiveRecorder(
      source: ScriptedSource(script.events + [first], ends: false), options: LiveOptions(duration: .seconds(20)),
      time: time, database: database, observe: { _ in })
    let ended = try await recorder.run()
    #expect(ended.count == 1)
    #expect(time.now().monotonic.microseconds(since: now.monotonic) >= 20_000_000)
  }

  @Test func testCancelledTask_EndsTheRecordingInOrder() async throws {
    let database = try TachogramDatabase.inMemory()
    var script = EventScript()
    script.up()
    script.notify(5)
    let (heard, continuation) = AsyncStream.makeStream(of: Void.self)
    let recorder = LiveRecorder(
      source: ScriptedSource(script.events, ends: false), options: LiveOptions(), time: ScaledTimeSource(factor: 1),
      database: database,
      observe: { news in if case .notification = news.event.content { continuation.yield() } })
    let running = Task { try await recorder.run() }
    var count = 0
    for await _ in heard {
      count += 1
      if count == 5 { break }
    }
    running.cancel()
    let ended = try await running.value
    #expect(ended.first?.report.notifications.total == 5)
    #expect(try SessionRepository(database: database).sessions().first?.isComplete == true)
  }

  @Test func testDiskThatFails_IsToldAndLosesNothingOfTheReport() async throws {
    let database = try TachogramDatabase.inMemory()
    try database.close()
    var script = EventScript()
    script.up()
    script.notify(5)
    let recorder = LiveRecorder(
      source: ScriptedSource(script.events), options: LiveOptions(), time: ScaledTimeSource(factor: 1),
      database: database, observe: { _ in })
    await #expect(throws: RepositoryError.self) { try await recorder.run() }
  }

  @Test func testWithoutDatabase_ReportsAndStoresNothing() async throws {
    var script = EventScript()
    script.up()
    script.notify(70)
    let recorder = LiveRecorder(
      source: ScriptedSource(script.events), options: LiveOptions(), time: ScaledTimeSource(factor: 1),
      database: nil, observe: { _ in })
    let ended = try await recorder.run()
    #expect(ended.first?.report.series.beats.total == 70)
  }
}

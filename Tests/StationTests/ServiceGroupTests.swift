import GATT
import Logging
import Recording
import Repository
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

/// How the services of a station begin and end.
@Suite("Services", .timeLimit(.minutes(5)))
struct ServiceGroupTests {
  private static let names = ["watchdog", "maintenance", "stale", "recorder", "page"]
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private let trace = ServiceTrace()

  /// A service of each name; `failing` is that of one, which fails when `failure` ends.
  private func services(
    failing: String? = nil, _ failure: AsyncStream<Void>? = nil
  ) -> (
    [any Service], running: AsyncStream<Void>
  ) {
    let (running, continuation) = AsyncStream.makeStream(of: Void.self)
    let services = Self.names.map { name in
      TracedService(name: name, trace: trace, failing: name == failing ? failure : nil) { continuation.yield() }
    }
    return (services, running)
  }

  /// Returns when all run.
  private func wait(_ running: AsyncStream<Void>) async {
    var count = 0
    for await _ in running {
      count += 1
      if count == Self.names.count { return }
    }
  }

  @Test func testShutdown_EndsFromTheLastToTheFirst() async throws {
    let (services, running) = services()
    try await testGracefulShutdown { trigger in
      async let ended: Void = ServiceGroup.ofStation(services, logger: Self.logger, endingWithin: .seconds(120)).run()
      await wait(running)
      trigger.triggerGracefulShutdown()
      try await ended
    }
    #expect(Set(trace.all.prefix(5)) == Set(Self.names.map { "begin \($0)" }))
    #expect(trace.all.suffix(5) == Self.names.reversed().map { "end \($0)" })
  }

  @Test(arguments: names)
  func testFailureOfAService_EndsTheOthersInOrderAndIsThrown(failing: String) async throws {
    let (failure, fail) = AsyncStream.makeStream(of: Void.self)
    let (services, running) = services(failing: failing, failure)
    await #expect(throws: TracedService.Failure(name: failing)) {
      async let ended: Void = ServiceGroup.ofStation(services, logger: Self.logger, endingWithin: .seconds(120)).run()
      await wait(running)
      fail.finish()
      try await ended
    }
    let others = Self.names.reversed().filter { $0 != failing }
    #expect(trace.all.dropFirst(5).first == "fail \(failing)")
    #expect(trace.all.suffix(4) == others.map { "end \($0)" })
  }

  /// As a capture that has ended: the page stays.
  @Test func testServiceThatIsDone_EndsNoOther() async throws {
    struct Done: Service {
      let then: @Sendable () -> Void
      func run() async throws { then() }
    }
    let (services, running) = services()
    let (done, finish) = AsyncStream.makeStream(of: Void.self)
    try await testGracefulShutdown { trigger in
      let all = services + [Done { finish.finish() }]
      async let ended: Void = ServiceGroup.ofStation(all, logger: Self.logger, endingWithin: .seconds(120)).run()
      for await _ in done {}
      await wait(running)
      #expect(!trace.all.contains { $0.hasPrefix("end") })
      trigger.triggerGracefulShutdown()
      try await ended
    }
    #expect(trace.all.count == 10)
  }

  // MARK: - The services themselves

  /// Each thing at once, then once an interval; the end comes between two.
  @Test func testPeriodicService_EndsWhenAsked() async throws {
    let (done, tell) = AsyncStream.makeStream(of: Int.self)
    let service = PeriodicService(interval: .seconds(3600), [{ tell.yield(0) }, { tell.yield(1) }])
    try await testGracefulShutdown { trigger in
      async let ended: Void = service.run()
      var seen: Set<Int> = []
      for await number in done where seen.insert(number).inserted && seen.count == 2 { break }
      trigger.triggerGracefulShutdown()
      try await ended
    }
  }

  private func recorder(_ database: TachogramDatabase, _ source: ScriptedSource) -> LiveRecorder {
    LiveRecorder(
      source: source, options: LiveOptions(), time: ManualTimeSource(), database: database, observe: { _ in })
  }

  private func script() -> [StrapEvent] {
    let value = HeartRateMeasurementCodec.encode(
      HeartRateMeasurement(heartRate: 60, rrIntervals: RRIntervals([RRInterval(ticks: 1024)])))
    let address = BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random)
    let contents: [StrapEvent.Content] = [
      .identified(StrapIdentity(address: address)), .linkUp(handle: 0x12, handleSource: .discovered, bootID: nil),
      .notification(value), .notification(value),
    ]
    return contents.map { content in
      StrapEvent(
        strap: 0, monotonic: MonotonicTime(microseconds: 0), wall: WallTime(microseconds: 1_767_225_600_000_000),
        content: content)
    }
  }

  /// A page that cannot be served leaves no session behind.
  @Test func testRecorder_BeginsWithThePage() async throws {
    let database = try TachogramDatabase.inMemory()
    let source = ScriptedSource(script(), ends: false)
    let (served, _) = AsyncStream.makeStream(of: Void.self)
    let service = RecorderService(
      recorder: recorder(database, source), source: source, isReplay: false, isInMemory: false, logger: Self.logger,
      served: served)
    try await testGracefulShutdown { trigger in
      async let ended: Void = service.run()
      trigger.triggerGracefulShutdown()
      try await ended
    }
    #expect(try SessionRepository(database: database).sessions().isEmpty)
  }

  @Test func testRecorder_EndsItsSessionsInOrder() async throws {
    let database = try TachogramDatabase.inMemory()
    let source = ScriptedSource(script(), ends: false)
    let (served, serve) = AsyncStream.makeStream(of: Void.self)
    serve.finish()
    let (heard, hear) = AsyncStream.makeStream(of: Void.self)
    let recorder = LiveRecorder(
      source: source, options: LiveOptions(), time: ManualTimeSource(), database: database
    ) { news in
      if news.live?.description != nil { hear.yield() }
    }
    let service = RecorderService(
      recorder: recorder, source: source, isReplay: false, isInMemory: false, logger: Self.logger,
      served: served)
    try await testGracefulShutdown { trigger in
      async let ended: Void = service.run()
      for await _ in heard { break }
      #expect(await recorder.isRunning)
      trigger.triggerGracefulShutdown()
      try await ended
    }
    #expect(await !recorder.isRunning)
    let session = try #require(try SessionRepository(database: database).sessions().first)
    #expect(session.isComplete && session.entryCount == 2)
  }
}

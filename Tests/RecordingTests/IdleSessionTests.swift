import Pipeline
import Recording
import Repository
import StressKit
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

/// Sessions that end because their strap was put away, or is listened to no longer.
@Suite("End of idle sessions")
struct IdleSessionTests {
  private static let epoch: Int64 = 1_700_000_000_000_000

  /// Seconds of one notification each from `second` on, with what a link begins with if `isUp`.
  private static func events(_ count: Int, from second: Int64, begins: Bool) -> [StrapEvent] {
    var script = EventScript()
    if begins { script.up() }
    script.pass(seconds: second)
    script.notify(count)
    return script.events.dropFirst(begins ? 0 : 1).map { event in
      var event = event
      event.monotonic = MonotonicTime(microseconds: event.wall.microseconds)
      return event
    }
  }

  /// As when it is changed on the page: it applies to the running session as well.
  @Test func testChangedLimit_AppliesAtOnce() async throws {
    let (source, clock) = (FedSource(), ManualTimeSource(epoch: Self.epoch))
    let database = try TachogramDatabase.inMemory()
    let repository = SessionRepository(database: database)
    let (heard, told) = AsyncStream.makeStream(of: StrapEvent.self)
    let recorder = LiveRecorder(
      source: source, options: LiveOptions(endAfter: .seconds(600)), time: clock, database: database,
      observe: { news in told.yield(news.event) })
    async let ended = recorder.run()
    var news = heard.makeAsyncIterator()
    func hear(_ events: [StrapEvent]) async {
      source.emit(events)
      for _ in events { _ = await news.next() }
    }
    func pass(_ seconds: Int64) async {
      await clock.waitForSleeper()
      clock.advance(seconds: seconds)
      await clock.waitForSleeper()
    }
    await hear(Self.events(400, from: 0, begins: true))
    await recorder.change(endAfter: .seconds(60), kind: .rmssd)
    await pass(400 + 60)
    let first = try #require(try repository.sessions().first)
    #expect(first.isComplete)
    #expect(try repository.kind(of: first.description.id) == .sdnn)
    await hear(Self.events(400, from: 600, begins: false))
    await pass(600 + 400 + 60)
    let second = try #require(try repository.sessions().first { $0.description.id != first.description.id })
    #expect(try repository.kind(of: second.description.id) == .rmssd)
    await source.stop()
    _ = try await ended
  }

  @Test func testStrapThatWasPutAway_EndsItsSession() async throws {
    let (source, clock) = (FedSource(), ManualTimeSource(epoch: Self.epoch))
    let database = try TachogramDatabase.inMemory()
    let repository = SessionRepository(database: database)
    let (heard, told) = AsyncStream.makeStream(of: StrapEvent.self)
    var options = LiveOptions(endAfter: .seconds(600), resumes: true)
    options.wearer = { _ in LiveOptions.Wearer(person: "anna", label: "day") }
    let ends = Mutex<[Int]>([])
    let recorder = LiveRecorder(
      source: source, options: options, time: clock, database: database,
      observeEnd: { strap in ends.withLock { $0.append(strap) } }, observe: { news in told.yield(news.event) })
    async let ended = recorder.run()
    var news = heard.makeAsyncIterator()

    func hear(_ events: [StrapEvent]) async {
      source.emit(events)
      for _ in events { _ = await news.next() }
    }
    /// Lets time pass, and everything be stored that is due.
    func pass(_ seconds: Int64) async {
      await clock.waitForSleeper()
      clock.advance(seconds: seconds)
      await clock.waitForSleeper()
    }

    await hear(Self.events(90, from: 0, begins: true))
    await pass(90 + 599)
    #expect(try repository.sessions().map(\.isComplete) == [false])
    #expect(ends.withLock { $0 }.isEmpty)
    await pass(1)
    #expect(ends.withLock { $0 } == [0])
    let first = try #require(try repository.sessions().first)
    #expect(first.isComplete)
    #expect(first.entryCount == 90)
    #expect(first.beatCount == 90)
    #expect(first.description.person == "anna")
    #expect(first.description.label == "day")

    // The link never went down: what comes now is another session on it.
    await hear(Self.events(30, from: 700, begins: false))
    await pass(31)
    let both = try repository.sessions()
    #expect(both.map(\.isComplete) == [false, true])
    #expect(both.map(\.entryCount) == [30, 90])
    #expect(try repository.links(of: both[0].description.id).map(\.handle) == [0x12])
    #expect(try repository.gaps(of: both[0].description.id).isEmpty)

    await source.stop()
    let reports = try await ended
    #expect(ends.withLock { $0 } == [0, 0])
    #expect(reports.map(\.report.session.id) == [both[0].description.id])
    #expect(try repository.sessions().allSatisfy(\.isComplete))
  }

  @Test func testStrapThatIsDismissed_EndsItsSession() async throws {
    let database = try TachogramDatabase.inMemory()
    let repository = SessionRepository(database: database)
    var bench = RecorderBench(database: database, options: LiveOptions(resumes: true), clock: ManualTimeSource())
    var script = EventScript()
    script.up()
    script.notify(40)
    script.add(.linkDown(reason: 0x16))
    script.add(.dismissed)
    await bench.hear(script.events)
    // The same strap under another ordinal, before anything was stored: a session of its own.
    var again = EventScript(strap: 1, address: 0)
    again.pass(seconds: 41)
    again.up()
    again.notify(10)
    await bench.hear(again.events)
    await bench.pass(seconds: 2)
    let sessions = try repository.sessions()
    #expect(sessions.map(\.isComplete) == [false, true])
    #expect(sessions.map(\.entryCount) == [10, 41])
    #expect(sessions.map(\.beatCount) == [10, 40])
    // Only the other goes on to the end.
    #expect(try await bench.end().map(\.report.session.id) == [sessions[0].description.id])
  }
}

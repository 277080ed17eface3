import Pipeline
import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// Straps whose recording a person stops and starts while they are received.
@Suite("Stopped recording")
struct SuspendedStrapTests {
  /// A recorder with its straps, until `body` returns.
  private struct Station {
    let source = FedSource()
    let clock = ManualTimeSource(epoch: 1_700_000_000_000_000)
    let database: TachogramDatabase
    let recorder: LiveRecorder
    var repository: SessionRepository { SessionRepository(database: database) }

    init(handled: AsyncStream<LiveRecorder.Update>.Continuation) throws {
      database = try TachogramDatabase.inMemory()
      recorder = LiveRecorder(
        source: source, options: LiveOptions(), time: clock, database: database
      ) { handled.yield($0) }
    }

    /// Returns the stored entries of each session, sessions by start.
    func stored() throws -> [[LedgerEntry]] {
      try repository.sessions().map(\.description).sorted { $0.start < $1.start }.map { session in
        var entries: [LedgerEntry] = []
        try repository.forEachEntry(of: session.id) { entries += $0 }
        return entries
      }
    }
  }

  /// Runs a recorder during `body`, which receives a function that sends events and returns their updates.
  private static func run(
    _ body: (Station, _ hear: ([StrapEvent]) async -> [LiveRecorder.Update]) async throws -> Void,
  ) async throws -> (Station, [LiveRecorder.Ended]) {
    let (updates, handled) = AsyncStream.makeStream(of: LiveRecorder.Update.self)
    let station = try Station(handled: handled)
    async let ended = station.recorder.run()
    var next = updates.makeAsyncIterator()
    try await body(station) { events in
      station.source.emit(events)
      var heard: [LiveRecorder.Update] = []
      for _ in events { if let update = await next.next() { heard.append(update) } }
      return heard
    }
    await station.source.stop()
    return (station, try await ended)
  }

  /// Returns a link with a minute of notifications.
  private static func minute() -> EventScript {
    var script = EventScript()
    script.up()
    script.notify(60)
    return script
  }

  private static func notifications(_ entries: [LedgerEntry]) -> [WallTime] {
    entries.compactMap { if case .notification = $0.content { $0.wall } else { nil } }
  }

  private static func walls(_ events: some Sequence<StrapEvent>) -> [WallTime] {
    events.compactMap { if case .notification = $0.content { $0.wall } else { nil } }
  }

  @Test func testStoppedStrap_IsReceivedWithoutBeingStored_UntilItIsStarted() async throws {
    var script = EventScript()
    script.up()
    script.notify(290)
    let (first, rest) = (Array(script.events.prefix(102)), Array(script.events.dropFirst(102)))
    let (between, last) = (Array(rest.prefix(150)), Array(rest.dropFirst(150)))
    let (station, ended) = try await Self.run { station, hear in
      #expect(await hear(first).last?.session != nil)
      await station.recorder.record(false, strap: 0)
      let session = try #require(try station.repository.sessions().first)
      #expect(session.isComplete && session.beatCount == 100)
      await station.recorder.record(false, strap: 0)
      let received = await hear(between)
      #expect(received.allSatisfy { $0.isSuspended && $0.session == nil && !$0.batch.entries.isEmpty })
      #expect(received.last?.live?.reading()?.windows.isEmpty == false)
      await station.recorder.commit()
      #expect(try station.repository.sessions().count == 1)
      await station.recorder.record(true, strap: 0)
      await station.recorder.record(true, strap: 0)
      let again = await hear(last)
      #expect(again.allSatisfy { !$0.isSuspended } && again.last?.session?.id != session.description.id)
    }
    let stored = try station.stored()
    #expect(stored.map(Self.notifications) == [Self.walls(first), Self.walls(last)])
    #expect(stored.allSatisfy { $0.map(\.sequence) == Array(0..<Int64($0.count)) })
    #expect(try station.repository.sessions().allSatisfy(\.isComplete))
    #expect(ended.count == 1)
  }

  @Test func testOtherStraps_GoOn() async throws {
    var (script, other) = (EventScript(), EventScript(strap: 1))
    for _ in 0..<2 {
      script.up()
      other.up()
      script.notify(60)
      other.notify(60)
    }
    let halves = { (events: [StrapEvent]) in (Array(events.prefix(62)), Array(events.dropFirst(62))) }
    let (first, second) = (halves(script.events), halves(other.events))
    let (station, _) = try await Self.run { station, hear in
      _ = await hear(first.0 + second.0)
      await station.recorder.record(false, strap: 0)
      _ = await hear(first.1 + second.1)
    }
    let stored = try station.stored().map { Self.notifications($0).count }
    #expect(stored.sorted() == [60, 120])
  }

  /// Nothing is known of the straps of other systems, and a strap that was forgotten is recorded when it comes back.
  @Test func testForgottenStrap_IsRecordedAgain() async throws {
    var script = Self.minute()
    let events = script.events
    let (station, _) = try await Self.run { station, hear in
      await station.recorder.record(false, strap: 7)
      _ = await hear(Array(events.prefix(1)))
      await station.recorder.record(false, strap: 0)
      _ = await hear(Array(events.dropFirst()))
      script.add(.dismissed)
      _ = await hear(script.events.suffix(1))
      await station.clock.waitForSleeper()
      station.clock.advance(seconds: 600)
      await station.clock.waitForSleeper()
      _ = await hear(events)
    }
    #expect(try station.stored().map { Self.notifications($0).count } == [60])
  }

  /// The end of the program is not a start: what was received meanwhile stays out.
  @Test func testEnd_StoresNothingOfAStoppedStrap() async throws {
    let events = Self.minute().events
    let (station, ended) = try await Self.run { station, hear in
      _ = await hear(Array(events.prefix(1)))
      await station.recorder.record(false, strap: 0)
      _ = await hear(Array(events.dropFirst()))
    }
    #expect(try station.repository.sessions().isEmpty && ended.isEmpty)
  }
}

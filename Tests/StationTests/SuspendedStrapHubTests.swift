import GATT
import Outlets
import Presentation
import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard
@testable import Station

/// What is published of a strap whose recording was stopped.
struct SuspendedStrapHubTests {
  private struct OpenSource: RadioSourceProtocol {
    let stream = AsyncStream.makeStream(of: StrapEvent.self)
    func events() -> AsyncStream<StrapEvent> { stream.stream }
    func stop() async { stream.continuation.finish() }
  }

  private static let epoch: Int64 = 1_700_000_000_000_000

  private static func event(_ second: Int64, _ content: StrapEvent.Content) -> StrapEvent {
    let time = epoch + second * 1_000_000
    return StrapEvent(
      strap: 0, monotonic: MonotonicTime(microseconds: time), wall: WallTime(microseconds: time), content: content)
  }

  private static func notification(_ second: Int64) -> StrapEvent {
    let intervals = RRIntervals([RRInterval(ticks: UInt16(1000 + second % 50))])
    return event(
      second,
      .notification(HeartRateMeasurementCodec.encode(HeartRateMeasurement(heartRate: 60, rrIntervals: intervals))))
  }

  @Test func testStoppedStrap_IsPublished_WithoutASession() async throws {
    let clock = ManualTimeSource(epoch: Self.epoch)
    let outlets = OutletHub([RecordingOutlet()])
    let hub = LiveHub(
      names: StrapNames(known: []), feed: EventFeed(started: WallTime(microseconds: 0)), outlets: outlets, time: clock)
    let (updates, handled) = AsyncStream.makeStream(of: Void.self)
    let source = OpenSource()
    let recorder = LiveRecorder(
      source: source, options: LiveOptions(person: "Anna"), time: clock, database: try TachogramDatabase.inMemory(),
      observeEnd: hub.ended
    ) { news in
      hub.handle(news)
      handled.yield()
    }
    async let ended = recorder.run()
    var next = updates.makeAsyncIterator()
    func hear(_ events: [StrapEvent]) async {
      for event in events { source.stream.continuation.yield(event) }
      for _ in events { await next.next() }
    }
    let identity = StrapIdentity(address: BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random))
    clock.advance(seconds: 60)
    await hear(
      [
        Self.event(0, .identified(identity)),
        Self.event(0, .linkUp(handle: 0x12, handleSource: .discovered, bootID: nil)),
        Self.event(0, .state(LinkState(phase: .live, since: MonotonicTime(microseconds: Self.epoch)))),
      ] + (1...60).map(Self.notification))
    #expect(hub.running.count == 1 && hub.watched().map(\.isInSession) == [true])
    await recorder.record(false, strap: 0)
    #expect(hub.running.isEmpty)
    _ = await outlets.members[0].mailbox.next()

    clock.advance(seconds: 60)
    await hear((61...120).map(Self.notification))
    let reading = try #require(hub.live().readings.first)
    #expect(reading.session == nil && reading.start == nil && reading.heartRate == 60)
    #expect(reading.person == "Anna" && (reading.minute?.beats ?? 0) > 30 && !reading.beats.isEmpty)
    #expect(hub.running.isEmpty && hub.watched().map(\.isInSession) == [false])
    #expect(hub.session(of: identity.address) == nil)
    let delivery = try #require(await outlets.members[0].mailbox.next())
    #expect(delivery.readings.map(\.session) == [nil] && delivery.readings.map(\.heartRate) == [60])
    #expect(delivery.beats.map(\.sequence) == Array(0..<60))

    await recorder.record(true, strap: 0)
    clock.advance(seconds: 1)
    await hear([Self.notification(121)])
    #expect(hub.running.count == 1 && hub.live().readings.first?.session == hub.running.first)
    await source.stop()
    _ = try await ended
  }
}

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

/// A worn strap that a hub receives by a recorder, a beat a second, with an outlet.
final class HeardStrap {
  private struct OpenSource: RadioSourceProtocol {
    let stream = AsyncStream.makeStream(of: StrapEvent.self)
    func events() -> AsyncStream<StrapEvent> { stream.stream }
    func stop() async { stream.continuation.finish() }
  }

  private static let epoch: Int64 = 1_700_000_000_000_000
  let identity = StrapIdentity(address: BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random))
  let clock = ManualTimeSource(epoch: epoch)
  let outlets = OutletHub([RecordingOutlet()])
  let database: TachogramDatabase
  let hub: LiveHub
  let recorder: LiveRecorder
  private let source = OpenSource()
  private var handled: AsyncStream<Void>.Iterator
  private var second: Int64 = 0

  init() throws {
    database = try TachogramDatabase.inMemory()
    let hub = LiveHub(
      names: StrapNames(known: []), feed: EventFeed(started: WallTime(microseconds: 0)), outlets: outlets, time: clock)
    let (updates, handled) = AsyncStream.makeStream(of: Void.self)
    recorder = LiveRecorder(
      source: source, options: LiveOptions(person: "Anna"), time: clock, database: database, observeEnd: hub.ended
    ) { news in
      hub.handle(news)
      handled.yield()
    }
    self.hub = hub
    self.handled = updates.makeAsyncIterator()
  }

  /// Runs the recorder during `body`, which begins with a live link.
  func run(_ body: () async throws -> Void) async throws {
    let recorder = recorder
    async let ended = recorder.run()
    do {
      await hear([
        event(.identified(identity)), event(.linkUp(handle: 0x12, handleSource: .discovered, bootID: nil)),
        event(.state(LinkState(phase: .live, since: MonotonicTime(microseconds: Self.epoch)))),
      ])
      try await body()
    } catch {
      await source.stop()
      throw error
    }
    await source.stop()
    _ = try await ended
  }

  /// Lets the strap send `seconds` beats, and waits until the hub has them.
  func beat(seconds: Int) async {
    clock.advance(seconds: Int64(seconds))
    var events: [StrapEvent] = []
    for _ in 0..<seconds {
      second += 1
      let intervals = RRIntervals([RRInterval(ticks: UInt16(1000 + second % 50))])
      let value = HeartRateMeasurement(heartRate: 60, rrIntervals: intervals)
      events.append(event(.notification(HeartRateMeasurementCodec.encode(value))))
    }
    await hear(events)
  }

  /// Stores what was heard. Within a second of a commit, the recorder makes none for a query.
  func commit() async {
    clock.advance(seconds: 2)
    await recorder.commit()
  }

  /// What the outlet receives since the last call.
  func delivery() async throws -> OutletDelivery { try #require(await outlets.members[0].mailbox.next()) }

  private func event(_ content: StrapEvent.Content) -> StrapEvent {
    let time = Self.epoch + second * 1_000_000
    return StrapEvent(
      strap: 0, monotonic: MonotonicTime(microseconds: time), wall: WallTime(microseconds: time), content: content)
  }

  private func hear(_ events: [StrapEvent]) async {
    for event in events { source.stream.continuation.yield(event) }
    for _ in events { await handled.next() }
  }
}

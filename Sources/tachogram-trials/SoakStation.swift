import BlueZ
import DBus
import FakeBlueZ
import Recording
import Repository
import TachogramCore
import TachogramTestKit

/// The parts of a station with a fake daemon: source, recorder, database, event feed, and a clock that the trial advances.
final class SoakStation: Sendable {
  /// The time without data after which a session ends, the default.
  static let endAfter: Duration = .seconds(600)
  /// The midnight before the first day.
  static let midnight: Int64 = 1_699_920_000_000_000

  let fake: FakeBlueZ
  let time = ManualTimeSource(epoch: SoakStation.midnight)
  let database: TachogramDatabase
  let arrivals: SoakArrivals
  let feed: SoakFeed
  private let folder: TemporaryFolder
  private let bus: PrivateBus
  private let running: Task<[LiveRecorder.Ended], any Error>

  /// Creates a station that follows `straps`: every fourth by signals, the others by sockets; straps that require a bond are
  /// bonded.
  init(straps: [FakeStrap]) async throws {
    folder = try TemporaryFolder()
    bus = try await PrivateBus.start()
    fake = try await FakeBlueZ.start(on: .address(bus.address))
    database = try TachogramDatabase.open(path: folder.path("soak.sqlite"))
    var options = BlueZSourceOptions(
      straps: straps.enumerated().map { index, strap in
        .init(.address(strap.address), wantsBond: strap.requiresBond, way: index % 4 == 3 ? .signals : .acquire)
      })
    options.bus = .address(bus.address)
    let (arrivals, feed) = (SoakArrivals(straps: straps.count), SoakFeed(started: time.now().wall))
    (self.arrivals, self.feed) = (arrivals, feed)
    var live = LiveOptions(endAfter: Self.endAfter)
    live.wearer = { LiveOptions.Wearer(person: "wearer \($0.value & 0xFF)") }
    let recorder = LiveRecorder(
      source: BlueZRadioSource(options, time: time), options: live, time: time, database: database,
      observe: { news in
        feed.handle(news)
        arrivals.handle(news.event)
      })
    running = Task { try await recorder.run() }
  }

  /// Returns the path of a file beside the database.
  func path(_ name: String) -> String { folder.path(name) }

  /// Ends everything but the database in order. Returns the number of open sessions.
  func stop() async throws -> Int {
    running.cancel()
    let ended = try await running.value
    feed.stop()
    await fake.stop()
    return ended.count
  }
}

import BlueZ
import DBus
import FakeBlueZ
import Foundation
import Pipeline
import Recording
import Repository
import Synchronization
import TachogramCore
import TachogramTestKit

/// A fake daemon on its own bus, with a radio source, a recorder and a database.
final class TrialStation: Sendable {
  let fake: FakeBlueZ
  let time: ScaledTimeSource
  let database: TachogramDatabase
  let path: String
  private let bus: PrivateBus
  private let recorder: LiveRecorder
  private let arrivals: Arrivals
  private let running: Task<[LiveRecorder.Ended], any Error>

  /// Creates a station that follows `straps`. `speed` is the number of simulated seconds per second. With `isPatient`, silence
  /// is never a fault.
  init(
    straps: [FakeStrap], way: NotificationTransport = .acquire, speed: Int, isPatient: Bool = false,
    configuration: FakeBlueZConfiguration = FakeBlueZConfiguration(),
  ) async throws {
    bus = try await PrivateBus.start()
    fake = try await FakeBlueZ.start(on: .address(bus.address), configuration: configuration)
    time = ScaledTimeSource(factor: speed)
    path = FileManager.default.temporaryDirectory.path + "/tachogram-trial-\(UUID().uuidString).sqlite"
    database = try TachogramDatabase.open(path: path)
    var options = BlueZSourceOptions(
      straps: straps.map { .init(.address($0.address), wantsBond: $0.requiresBond, way: way) })
    options.bus = .address(bus.address)
    if isPatient {
      options.timing.firstNotification = .seconds(10_000)
      options.timing.resubscribe = .seconds(10_000)
      options.timing.reconnect = .seconds(10_000)
    }
    let arrivals = Arrivals()
    self.arrivals = arrivals
    recorder = LiveRecorder(
      source: BlueZRadioSource(options, time: time),
      options: LiveOptions(commitInterval: .seconds(speed)), time: time, database: database,
      observe: { arrivals.handle($0.event) })
    for strap in straps { await fake.advertise(strap) }
    running = Task { [recorder] in try await recorder.run() }
  }

  /// The number of notifications received from all straps.
  var notified: Int { arrivals.count.withLock { $0 } }

  /// Waits for `count` notifications in all.
  func wait(notifications count: Int) async {
    while notified < count { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// Ends the recording in order. Returns the identifiers of its sessions.
  func stop() async throws -> [String] {
    running.cancel()
    let ended = try await running.value
    await fake.stop()
    return ended.map(\.report.session.id)
  }

  /// Deletes the database.
  func remove() {
    try? database.close()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }
}

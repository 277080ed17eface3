import Foundation
import GATT
import Logging
import Presentation
import Recording
import Repository
import StressKit
import Synchronization
import TachogramCore
import TachogramTestKit

@testable import Dashboard
@testable import Station

/// A day of a station's parts by a clock that is turned: two straps, one of them without a name, that are heard in every
/// hour, for long enough for windows and stress in every eighth, when their links go through every state as well; at the
/// end the database is gone.
struct StationDay {
  /// Lines of a log.
  final class Log: Sendable {
    let lines = Mutex<[String]>([])
  }

  static let named = BluetoothAddress(value: 0xC8DE_ADBE_EF17, kind: .random)
  static let nameless = BluetoothAddress(value: 0xD4A1_B2C3_E529, kind: .random)
  /// What the first one calls itself, and what its wearer calls it.
  static let advertised = "Secret Strap"
  static let given = "Annas belt"
  static let heartRate: UInt16 = 143
  static let ticks: UInt16 = 431

  private static let interval: Int64 = 841_797

  private let folder: TemporaryFolder
  private let database: TachogramDatabase
  private let clock = ManualTimeSource()
  private let log = Log()
  private let feed: EventFeed
  private let hub: LiveHub
  private let configuration: CurrentConfiguration
  private let storage: StationStorage

  init() async throws {
    folder = try TemporaryFolder()
    database = try TachogramDatabase.open(path: folder.path("tachogram.sqlite"))
    let wall = clock.now().wall
    let known = KnownStrap(address: Self.named, name: Self.given, advertisedName: Self.advertised, added: wall)
    try StrapRepository(database: database).remember(known)
    configuration = CurrentConfiguration(
      try ConfigurationLoader(
        file: nil, flags: ["alerts.silenceMinutes": "5", "alerts.hook": "/nonexistent/hook", "timeZone": "UTC"],
        environment: [:]
      ).load())
    feed = EventFeed(started: wall)
    hub = LiveHub(names: StrapNames(known: [known]), feed: feed, time: clock)
    storage = StationStorage(
      database: database, snapshots: SnapshotFolder(nil, database: database.path), time: clock)
  }

  /// The log of the whole day, as it would be in the journal, and what a monitoring system is told at its end.
  func run() async throws -> (log: [String], metrics: String) {
    var metrics = ""
    let logger = Logger(label: "tachogram") { [log] _ in
      JournalLog(level: .info, environment: ["JOURNAL_STREAM": "8:1"]) { line in log.lines.withLock { $0.append(line) }
      }
    }
    let journal = LinkJournal(logger)
    for hour in 0..<24 {
      let isLast = hour == 23
      let recorder = LiveRecorder(
        source: ScriptedSource(script(isLong: hour % 8 == 7)), options: LiveOptions(), time: clock, database: database,
        observe: { [hub, database] news in
          hub.handle(news)
          journal.handle(news.event)
          // The session has begun and nothing of it is stored yet.
          if isLast, news.live?.description != nil { try? database.close() }
        })
      _ = try? await recorder.run()
      clock.advance(seconds: 3600)
      hub.watch()
      let maintenance = Maintenance(storage, configuration: configuration, hub: hub, recorder: recorder, logger: logger)
      await maintenance.run()
      await maintenance.finishTelling()
      metrics = try await self.metrics(recorder, maintenance)
    }
    let address = Self.named.description
    RunningStation.log(
      .failed(
        path: "/api/v1/straps/\(address.replacingOccurrences(of: ":", with: "%3A"))",
        error: "no answer of /org/bluez/hci0/dev_\(address.replacingOccurrences(of: ":", with: "_"))"), logger)
    RunningStation.log(.wrongToken(from: "192.0.2.1"), logger)
    return (log.lines.withLock { $0 }, metrics)
  }

  private func metrics(_ recorder: LiveRecorder, _ maintenance: Maintenance) async throws -> String {
    let backend = StationBackend(
      facts: StationFacts(version: "1", started: clock.now().wall, isReplay: false), configuration: configuration,
      storage: storage, hub: hub, feed: feed, recorder: recorder, pairing: nil, doctor: nil,
      edits: StationSessionEdits(storage: storage, hub: hub, recorder: recorder, deviceID: nil),
      nights: StationNights(
        database: storage.database, configuration: configuration, hub: hub, recorder: recorder, time: clock,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
      readings: StationReadings(
        database: database, configuration: configuration, time: clock, find: hub.session(_:), commit: {}),
      stationGlances: StationGlances(
        hub: hub,
        histories: GlanceHistories(
          source: StoredGlances(database: storage.database, configuration: configuration), time: clock),
        configuration: configuration, time: clock),
      snapshots: StationSnapshots(storage: storage, kind: .rmssd, lastResult: nil) {},
      stationSettings: StationSettings(
        loader: ConfigurationLoader(file: nil, environment: [:]), database: storage.database.path),
      reload: {},
      watched: { await maintenance.watched })
    return Metric.text(try await backend.metrics(mayIncludeHeart: true))
  }

  // MARK: - What is heard

  private func script(isLong: Bool) -> [StrapEvent] {
    let name = Array(Self.advertised.utf8)
    return events(0, Self.named, [GATTUUID.deviceName: name, GATTUUID.batteryLevel: [7]], isLong: isLong)
      + events(1, Self.nameless, [GATTUUID.batteryLevel: [7]], isLong: isLong)
  }

  private func events(
    _ strap: Int, _ address: BluetoothAddress, _ about: [UInt16: [UInt8]], isLong: Bool,
  ) -> [StrapEvent] {
    var time = clock.now().monotonic.microseconds
    var events: [StrapEvent] = []
    func add(_ content: StrapEvent.Content) {
      events.append(
        StrapEvent(
          strap: strap, monotonic: MonotonicTime(microseconds: time), wall: WallTime(microseconds: time),
          content: content))
    }
    func state(_ phase: LinkPhase, _ reason: LinkReason? = nil) {
      add(.state(LinkState(phase: phase, reason: reason, since: MonotonicTime(microseconds: time))))
    }
    add(.identified(StrapIdentity(address: address, characteristics: about)))
    add(.signal(-60))
    add(.linkUp(handle: 16, handleSource: .discovered, bootID: nil))
    state(.live)
    let interval = RRInterval(ticks: Self.ticks)
    let value = HeartRateMeasurementCodec.encode(
      HeartRateMeasurement(heartRate: Self.heartRate, rrIntervals: RRIntervals([interval, interval])))
    for number in 0..<(isLong ? 400 : 20) {
      time += Self.interval
      // Some are damaged.
      add(.notification(number % 100 == 19 ? [0x10] : value))
    }
    add(.linkDown(reason: 8))
    guard isLong else { return events }
    for phase in LinkPhase.allCases { for reason in LinkReason.allCases { state(phase, reason) } }
    return events
  }
}

import Logging
import Presentation
import Repository
import StressKit
import TachogramCore
import TachogramTestKit

@testable import Dashboard
@testable import Station

/// The parts of a station which hears nothing, in UTC.
struct QuietStation {
  let configuration: CurrentConfiguration
  let storage: StationStorage
  let feed: EventFeed
  let hub: LiveHub

  /// `flags` are keys of its configuration.
  init(_ database: TachogramDatabase, _ clock: ManualTimeSource, flags: [String: String] = [:]) async throws {
    configuration = CurrentConfiguration(
      try ConfigurationLoader(
        file: nil, flags: flags.merging(["timeZone": "UTC"]) { $1 }, environment: [:]
      ).load())
    storage = StationStorage(
      database: database, snapshots: SnapshotFolder(nil, database: database.path), time: clock)
    feed = EventFeed(started: clock.now().wall)
    hub = LiveHub(names: StrapNames(known: []), feed: feed, time: clock)
  }

  var backend: StationBackend {
    StationBackend(
      facts: StationFacts(version: "1", started: storage.time.now().wall, isReplay: false),
      configuration: configuration,
      storage: storage, hub: hub, feed: feed, recorder: nil, pairing: nil, doctor: nil,
      edits: StationSessionEdits(storage: storage, hub: hub, recorder: nil, deviceID: nil),
      nights: StationNights(
        database: storage.database, configuration: configuration, hub: hub, recorder: nil, time: storage.time,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
      readings: StationReadings(
        database: storage.database, configuration: configuration, time: storage.time, find: hub.session(_:), commit: {}),
      stationGlances: StationGlances(
        hub: hub,
        histories: GlanceHistories(
          source: StoredGlances(database: storage.database, configuration: configuration), time: storage.time),
        configuration: configuration, time: storage.time),
      snapshots: StationSnapshots(storage: storage, kind: .rmssd, lastResult: nil) {},
      stationSettings: StationSettings(
        loader: ConfigurationLoader(file: nil, environment: [:]), database: storage.database.path),
      reload: {},
      watched: { Maintenance.Watched() })
  }
}

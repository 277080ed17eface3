import Presentation
import Repository
import TachogramTestKit

@testable import Dashboard
@testable import Station

extension StationBackend {
  /// That of a station which hears nothing, in UTC; `flags` are keys of its configuration.
  static func quiet(
    _ database: TachogramDatabase, _ clock: ManualTimeSource, flags: [String: String] = [:]
  ) async throws -> StationBackend {
    let configuration = try await ConfigurationLoader(
      file: nil, flags: flags.merging(["timeZone": "UTC"]) { $1 }, environment: [:]
    ).load()
    let now = clock.now().wall
    let feed = EventFeed(started: now)
    return StationBackend(
      database: database, hub: LiveHub(names: StrapNames(known: []), feed: feed, time: clock),
      feed: feed, state: StationState(configuration, version: "1", started: now, isReplay: false), time: clock,
      usual: UsualValues(), snapshots: SnapshotFolder(nil, database: database.path))
  }
}

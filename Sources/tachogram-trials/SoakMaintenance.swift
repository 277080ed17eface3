import FoundationEssentials
import Recording
import Repository
import Station
import StressKit
import Synchronization
import TachogramCore
import TachogramTestKit

/// The maintenance of a station at its usual pace, with one snapshot a day.
final class SoakMaintenance: Sendable {
  private static let kept = 2

  private let station: SoakStation
  private let retention: Int64
  private let trends: TrendRepository
  private let snapshots: SnapshotFolder
  private let means = SessionMeans()
  private let copying = Mutex<Task<[String], any Error>?>(nil)

  /// Creates the maintenance. `keep` is the number of days that sessions are kept.
  init(station: SoakStation, keep: Int) throws {
    self.station = station
    retention = Int64(keep) * Int64(SoakDay.seconds) * 1_000_000
    trends = TrendRepository(database: station.database, timeZone: .gmt)
    snapshots = SnapshotFolder(nil, database: station.database.path)
  }

  private var now: WallTime { station.time.now().wall }

  /// Updates trends, each minute.
  func minute() throws {
    try trends.refresh()
  }

  /// Computes the values that the page requests, each hour.
  func hour() throws {
    let all = WallTime(microseconds: .min)...WallTime(microseconds: .max)
    let history = HistoryRepository(database: station.database, means: means)
    _ = try history.sessions(of: nil, in: all, limit: 50)
    for person in try history.persons() {
      _ = try trends.points(of: person, .month, last: LocalTime(of: now.date, in: .gmt).day)
    }
  }

  /// Makes a snapshot while recording, each day.
  func snapshot() {
    let now = now
    let task = Task { try await self.copy(at: now) }
    copying.withLock { $0 = task }
  }

  private func copy(at time: WallTime) async throws -> [String] {
    try snapshots.add(station.database, at: time, keep: Self.kept)
  }

  /// Deletes old data and recomputes baselines, each night. Throws the damage of the snapshot.
  func night() async throws {
    if let findings = try await copying.withLock({ $0 })?.value, !findings.isEmpty {
      throw TrialFailure("the copy of the database is not sound: \(findings.joined(separator: "; "))")
    }
    let now = now
    try trends.refresh()
    _ = try DeletionRepository(database: station.database)
      .expire(before: now.advanced(byMicroseconds: -retention), except: [])
    for person in try HistoryRepository(database: station.database).persons() {
      let baseline = try StressBaselines.baseline(person: person, kind: .sdnn, at: now, database: station.database)
      try await StressRepository(database: station.database, person: person, kind: .sdnn, now: { now.date })
        .updateBaseline(baseline)
    }
  }
}

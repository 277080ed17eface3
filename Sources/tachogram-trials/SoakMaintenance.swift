import FoundationEssentials
import Recording
import Repository
import Station
import StressKit
import Synchronization
import TachogramCore
import TachogramTestKit

/// What a station does beside recording, at the pace at which it does it, but for copies: one a day.
final class SoakMaintenance: Sendable {
  private static let kept = 2

  private let station: SoakStation
  private let retention: Int64
  private let trends: TrendRepository
  private let snapshots: SnapshotFolder
  private let means = SessionMeans()
  private let copying = Mutex<Task<[String], any Error>?>(nil)

  /// `keep`: days that sessions are kept.
  init(station: SoakStation, keep: Int) throws {
    self.station = station
    retention = Int64(keep) * Int64(SoakDay.seconds) * 1_000_000
    trends = TrendRepository(database: station.database, timeZone: .gmt)
    snapshots = SnapshotFolder(nil, database: station.database.path)
  }

  private var now: WallTime { station.time.now().wall }

  /// Each minute: trends.
  func minute() throws {
    try trends.refresh()
  }

  /// Each hour: what the page asks for.
  func hour() throws {
    let all = WallTime(microseconds: .min)...WallTime(microseconds: .max)
    let history = HistoryRepository(database: station.database, means: means)
    _ = try history.sessions(of: nil, in: all, limit: 50)
    for person in try history.persons() {
      _ = try trends.points(of: person, .month, last: LocalTime(of: now.date, in: .gmt).day)
    }
  }

  /// Each day, while it is recorded: a copy.
  func snapshot() {
    let now = now
    let task = Task { try await self.copy(at: now) }
    copying.withLock { $0 = task }
  }

  private func copy(at time: WallTime) async throws -> [String] {
    try snapshots.add(station.database, at: time, keep: Self.kept)
  }

  /// Each night: what is too old goes, and baselines are computed anew. Throws what was wrong with the copy.
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

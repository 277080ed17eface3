import Logging
import Recording
import Repository
import Station
import TachogramCore

/// The parts of upkeep that use the database, off the threads that record.
struct UpkeepWork: Sendable {
  let backend: StationBackend
  let snapshots: SnapshotFolder
  let logger: Logger

  private var state: StationState { backend.state }

  func refreshTrends() async throws {
    let zone = state.configuration.timeZone
    try await backend.queries.run { [database = backend.database] in
      try TrendRepository(database: database, timeZone: zone).refresh()
    }
  }

  /// Copies the database. What is wrong with it is told until a copy succeeds.
  func copy() async throws {
    let (now, keep) = (backend.time.now().wall, state.configuration.snapshots.keep)
    do {
      let findings = try await backend.queries.run { [database = backend.database, snapshots] in
        try snapshots.add(database, at: now, keep: keep)
      }
      state.snapshotProblem = findings.first
      if findings.isEmpty { state.lastSnapshot = now }
      for finding in findings { logger.critical("the database is damaged", metadata: ["finding": "\(finding)"]) }
    } catch {
      state.snapshotProblem = "\(error)"
      throw error
    }
  }

  /// What is done once a day: what is too old goes, and baselines are computed anew.
  func daily() async throws {
    let (now, configuration) = (backend.time.now().wall, state.configuration)
    try await backend.queries.run { [database = backend.database, logger] in
      let deletion = DeletionRepository(database: database)
      func limit(_ span: TimeSpan) -> WallTime { now.advanced(byMicroseconds: -span.microseconds) }
      if configuration.retention.sessions != nil {
        try TrendRepository(database: database, timeZone: configuration.timeZone).refresh()
      }
      if let span = configuration.retention.sessions {
        let count = try deletion.expire(before: limit(span))
        if count > 0 { logger.notice("old sessions were deleted", metadata: ["count": "\(count)"]) }
      }
      if let span = configuration.retention.windows { try deletion.deleteWindows(before: limit(span)) }
      if let span = configuration.retention.trends { try deletion.deleteTrends(before: limit(span)) }
    }
    try await refreshBaselines(now)
    backend.usual.forget()
  }

  private func refreshBaselines(_ now: WallTime) async throws {
    let database = backend.database
    let persons = try await backend.queries.run { try HistoryRepository(database: database).persons() }
    for person in persons.map(Optional.some) + [nil] {
      for kind in HRVKind.allCases {
        let baseline = try await backend.queries.run {
          try Baselines.baseline(person: person, kind: kind, at: now, database: database)
        }
        try await StressRepository(database: database, person: person, kind: kind, now: { now.date })
          .updateBaseline(baseline)
      }
    }
  }
}

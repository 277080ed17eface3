import CommandProcess
import Logging
import Recording
import Repository
import StressKit
import TachogramCore

/// The parts of maintenance that use the database, off the threads that record.
struct MaintenanceWork: Sendable {
  let storage: StationStorage
  let configuration: CurrentConfiguration
  let hub: LiveHub
  /// Separate from the queue of requests, which would wait for a copy of the whole database.
  let queue: QueryQueue
  let logger: Logger

  private var database: TachogramDatabase { storage.database }
  private var snapshots: SnapshotFolder { storage.snapshots }

  func refreshTrends() async throws {
    let zone = configuration.value.timeZone
    try await queue.run { [database] in
      try TrendRepository(database: database, timeZone: zone).refresh()
    }
  }

  /// Recomputes the stored days for the current time zone.
  func adoptTimeZone() async throws {
    let zone = configuration.value.timeZone
    try await queue.run { [database] in
      try TrendRepository(database: database, timeZone: zone).adoptTimeZone()
    }
  }

  /// Returns the persons with straps who have not taken today's morning reading although it is due, or `nil` if it is not due or
  /// everybody has. Returns an empty list for straps without a person.
  func dueReadings() async -> [String]? {
    let (now, zone) = (storage.time.now().wall, configuration.value.timeZone)
    guard let due = configuration.value.alerts.morningReading else { return nil }
    let clock = LocalTime(of: now.date, in: zone)
    let minute = Int(clock.secondOfDay / 60)
    guard (due.minutes..<due.minutes + Self.reminderMinutes).contains(minute) else { return nil }
    let persons = try? await queue.run { [database] in
      let persons = Set(try StrapRepository(database: database).straps().map(\.person))
      return try persons.filter { person in
        let last = try ReadingRepository(database: database).readings(of: person, kind: .morning, limit: 1).first
        return last.map { LocalTime(of: $0.start.date, in: zone).day != clock.day } ?? true
      }
    }
    guard let persons, !persons.isEmpty else { return nil }
    return persons.compactMap { $0 }.sorted()
  }

  /// How long the alert about the morning reading lasts.
  private static let reminderMinutes = 360

  /// Checks the integrity of the whole database, and logs and reports the findings.
  func check() async throws {
    found(try await queue.run { [database] in try database.checkIntegrity() })
  }

  /// Logs the findings of an integrity check and shows the first one in the status, with advice. A damaged database is never
  /// replaced automatically.
  private func found(_ findings: [String]) {
    for finding in findings { logger.critical("the database is damaged", metadata: ["finding": "\(finding)"]) }
    storage.condition.wasLookedAt(
      findings.first.map { finding in
        "\(finding). " + snapshots.advice(database: database.path, at: storage.time.now().wall)
      })
  }

  /// Copies the database, unless the newest snapshot contains all of it. Damage is reported until a copy succeeds.
  func copyWhatIsNew() async throws {
    let now = storage.time.now().wall
    let isHeld = try await queue.run { [database, snapshots] in
      try snapshots.holdsAll(of: database, at: now)
    }
    if !isHeld { try await copy() }
  }

  /// Copies the database. Damage is reported until a copy succeeds.
  func copy() async throws {
    let (keep, reserve) = (configuration.value.snapshots.keep, configuration.value.lowDisk)
    _ = try await copy { try $0.add($1, at: $2, keep: keep, reserve: reserve) }
  }

  /// Copies the database after a deletion, and deletes the snapshots that still contain the deleted data.
  func renewCopies() async throws {
    // Later deletions need another copy.
    storage.condition.renewalBegan()
    do {
      if try await !renewed() { storage.condition.deletionCame() }
    } catch {
      storage.condition.deletionCame()
      throw error
    }
  }

  /// Deletes older snapshots after a deletion, if there is no space for another copy.
  func dropStaleCopies() async throws {
    snapshots.dropOlder(at: storage.time.now().wall)
    try await refreshTrends()
    _ = try await queue.run { [database] in try database.emptyLog() }
  }

  /// Returns whether no snapshot contains deleted data any more.
  private func renewed() async throws -> Bool {
    // Trends of the deleted data are removed first.
    try await refreshTrends()
    guard try await queue.run({ [database] in try database.emptyLog() }) else { return false }
    try await refreshBaselines(storage.time.now().wall)
    guard !snapshots.snapshots().isEmpty else {
      // Runs on the queue of maintenance.
      return try await queue.run { [database, snapshots] in
        try snapshots.renew(database, at: WallTime(microseconds: 0)).isEmpty
      }
    }
    let reserve = configuration.value.lowDisk
    return try await copy { try $0.renew($1, at: $2, reserve: reserve) }
  }

  /// Returns whether the copy was made; otherwise the error describes the damage.
  private func copy(
    _ body: @escaping @Sendable (SnapshotFolder, TachogramDatabase, WallTime) throws -> [String]
  ) async throws -> Bool {
    let now = storage.time.now().wall
    do {
      let findings = try await queue.run { [database, snapshots] in
        try body(snapshots, database, now)
      }
      if findings.isEmpty {
        storage.condition.wasCopied(at: snapshots.newest(at: now)?.time)
      } else {
        storage.condition.wasNotCopied(nil)
      }
      found(findings)
      return findings.isEmpty
    } catch {
      storage.condition.wasNotCopied(ErrorReason.text(error))
      throw error
    }
  }

  /// Returns a session with pending derived rows of an earlier recording.
  func nextPendingDerivation(except running: Set<String>) async throws -> String? {
    let now = storage.time.now().wall
    return try await queue.run { [database] in
      try PendingDerivations(database: database).next(at: now, except: running)
    }
  }

  func derive(_ session: String) async throws {
    try await queue.run { [database] in try PendingDerivations(database: database).derive(session) }
    logger.notice("a stored session was derived that had not been")
  }

  /// Deletes data beyond its retention and recomputes baselines, once a day.
  func daily() async throws {
    let (now, configuration) = (storage.time.now().wall, configuration.value)
    try await queue.run { [database, hub, usual = storage.usual, logger, snapshots] in
      let running = hub.running
      let deletion = DeletionRepository(database: database)
      func limit(_ span: TimeSpan) -> WallTime { now.advanced(by: .zero - span.duration) }
      // Hours that are computed after their windows were deleted would count as empty.
      if configuration.retention.sessions != nil || configuration.retention.windows != nil {
        try TrendRepository(database: database, timeZone: configuration.timeZone).refresh()
      }
      defer {
        // Deleted data is no longer shown, even if the following steps fail.
        if configuration.retention.sessions != nil || configuration.retention.windows != nil { usual.forget() }
      }
      if let span = configuration.retention.sessions {
        var old = SessionSelection()
        (old.range, old.excluding) = (WallTime(microseconds: .min)...limit(span), running)
        try snapshots.addBeforeDeletion(
          try deletion.preview(old), from: database, at: now, reserve: configuration.lowDisk)
        let count = try deletion.expire(before: limit(span), except: running)
        if count > 0 { logger.notice("old sessions were deleted", metadata: ["count": "\(count)"]) }
      }
      if let span = configuration.retention.windows {
        try deletion.deleteWindows(before: limit(span), except: running)
      }
      if let span = configuration.retention.raw {
        _ = try SensorRepository(database: database).expire(before: limit(span), except: running)
      }
      if let span = configuration.retention.trends { try deletion.deleteTrends(before: limit(span)) }
    }
    try await refreshBaselines(now)
  }

  /// Computes values in advance that the page will request and that take long: baselines, and the means of the newest sessions.
  func prepare() async throws {
    let (now, zone) = (storage.time.now().wall, configuration.value.timeZone)
    let day = LocalTime(of: now.date, in: zone).day
    try await queue.run { [database, usual = storage.usual, means = storage.means] in
      let history = HistoryRepository(database: database, means: means)
      _ = try history.sessions(of: nil, in: WallTime(microseconds: .min)...WallTime(microseconds: .max), limit: 50)
      for person in try history.persons().map(Optional.some) + [nil] {
        try usual.compute(
          PersonBaselines.Question(person: person, day: day, instant: now, timeZone: zone), database)
      }
    }
  }

  private func refreshBaselines(_ now: WallTime) async throws {
    let database = storage.database
    let persons = try await queue.run { try HistoryRepository(database: database).persons() }
    for person in persons.map(Optional.some) + [nil] {
      for kind in HRVKind.allCases {
        let baseline = try await queue.run {
          try StressBaselines.baseline(person: person, kind: kind, at: now, database: database)
        }
        try await StressRepository(database: database, person: person, kind: kind, now: { now.date })
          .refreshBaseline(baseline)
      }
    }
  }
}

import Pipeline
import Repository
import StressKit
import TachogramCore

/// A session whose recording was interrupted, with the state that another recording needs to continue it. The rows are derived
/// from its ledger again, which restores the state of the deriver.
struct InterruptedSession: Sendable {
  /// The least time between two boots, if the clock shows less.
  private static let shortestBoot: Duration = .seconds(1)

  let description: SessionDescription
  /// The metric that stands for HRV in its stress.
  let kind: HRVKind
  /// The deriver after the last entry.
  let deriver: SessionDeriver
  /// All rows derived from the ledger so far.
  let derived: SessionBatch
  let entryCount: Int64
  let linkCount: Int
  /// The number of its sensor entries, and the movement that they have shown so far.
  let sensorCount: Int64
  let movement: MovementDeriver
  private let last: LedgerEntry
  private let lastBoot: String?

  /// Returns the identifiers of the sessions that were not ended in order, or an empty set if they cannot be read.
  static func all(in database: TachogramDatabase) -> Set<String> {
    let records = try? SessionRepository(database: database).sessions()
    let outbox = SyncOutbox(database: database)
    let interrupted = (records ?? []).filter { record in
      !record.isComplete && record.description.origin == .live
        && (try? outbox.isReceived(record.description.id)) != true
    }
    return Set(interrupted.map(\.description.id))
  }

  /// Returns the last session that was recorded from a strap with these options, if it was interrupted at about `now` and is
  /// one of `ids`.
  static func find(
    of strap: StrapIdentity, options: LiveOptions, at now: WallTime, among ids: Set<String>,
    in database: TachogramDatabase,
  ) throws -> InterruptedSession? {
    let repository = SessionRepository(database: database)
    let record = try repository.sessions().first {
      $0.description.origin == .live && $0.description.strap.address == strap.address
    }
    let wearer = options.wearer(strap.address)
    // A clock without a battery may also be behind the time of the interruption.
    guard let record, !record.isComplete, ids.contains(record.description.id),
      record.description.person == wearer.person,
      // A session that was given a label while it was recorded is continued.
      wearer.label == nil || record.description.label == wearer.label,
      now.duration(since: record.end).magnitude <= PendingDerivations.longestInterruption
    else { return nil }
    var description = record.description
    description.strap = strap
    let links = try repository.links(of: description.id)
    let kind = try repository.kind(of: description.id) ?? options.kind
    var deriver = try SessionDeriver(description, kind: kind, in: database)
    guard let last = try deriver.ingestLedger(in: database) else { return nil }
    let derived = deriver.drainRows()
    var movement = MovementDeriver(start: description.monotonicStart)
    var sensorCount: Int64 = 0
    try SensorRepository(database: database).forEachEntry(of: description.id) { entries in
      for entry in entries { movement.ingest(entry) }
      sensorCount += Int64(entries.count)
    }
    // The link of the last entries has ended.
    movement.linkDown()
    _ = movement.drain()
    return InterruptedSession(
      description: description, kind: kind, deriver: deriver, derived: derived, entryCount: last.sequence + 1,
      linkCount: links.count, sensorCount: sensorCount, movement: movement, last: last, lastBoot: links.last?.bootID)
  }

  /// Returns the duration to add to the monotonic time of new notifications to continue the axis of the session: zero in the
  /// same boot; after a reboot, which restarts the clock, the time that has passed by the civil clock.
  func shift(at monotonic: MonotonicTime, _ wall: WallTime, bootID: String?) -> Duration {
    Self.shift(at: monotonic, wall, bootID: bootID, after: last, lastBoot: lastBoot)
  }

  static func shift(
    at monotonic: MonotonicTime, _ wall: WallTime, bootID: String?, after last: LedgerEntry, lastBoot: String?,
  ) -> Duration {
    if let bootID, bootID == lastBoot, monotonic >= last.monotonic { return .zero }
    let passed = max(shortestBoot, wall.duration(since: last.wall))
    return last.monotonic.advanced(by: passed).duration(since: monotonic)
  }
}

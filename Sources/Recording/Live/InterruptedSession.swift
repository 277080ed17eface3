import Pipeline
import Repository
import TachogramCore

/// A session whose recording was cut off, as far as another recording needs it to go on with it: what derives from its
/// ledger is derived again, so that the deriver stands where it stood.
struct InterruptedSession: Sendable {
  /// The least time between two boots, where the clock shows less.
  private static let shortestBoot: Duration = .seconds(1)

  let description: SessionDescription
  /// As it stands behind the last entry.
  let deriver: SessionDeriver
  /// All that derives from its ledger so far.
  let derived: SessionBatch
  let entryCount: Int64
  let linkCount: Int
  private let last: LedgerEntry
  private let lastBoot: String?

  /// The identifiers of the sessions that were not ended in order; none where they cannot be read.
  static func all(in database: TachogramDatabase) -> Set<String> {
    let records = try? SessionRepository(database: database).sessions()
    return Set((records ?? []).filter { !$0.isComplete && $0.description.origin == .live }.map(\.description.id))
  }

  /// The last session that was recorded with these options from a strap, if it was cut off at about `now` and is one of
  /// `ids`.
  static func find(
    of strap: StrapIdentity, options: LiveOptions, at now: WallTime, among ids: Set<String>,
    in database: TachogramDatabase,
  ) throws -> InterruptedSession? {
    let repository = SessionRepository(database: database)
    let record = try repository.sessions().first {
      $0.description.origin == .live && $0.description.strap.address == strap.address
    }
    let wearer = options.wearer(strap.address)
    // A clock without a battery may also stand before the cut.
    guard let record, !record.isComplete, ids.contains(record.description.id),
      record.description.person == wearer.person,
      record.description.label == wearer.label,
      now.duration(since: record.end).magnitude <= PendingDerivations.longestInterruption
    else { return nil }
    var description = record.description
    description.strap = strap
    let links = try repository.links(of: description.id)
    var deriver = try SessionDeriver(description, kind: options.kind, in: database)
    guard let last = try deriver.ingestLedger(in: database) else { return nil }
    let derived = deriver.drainRows()
    return InterruptedSession(
      description: description, deriver: deriver, derived: derived, entryCount: last.sequence + 1,
      linkCount: links.count, last: last, lastBoot: links.last?.bootID)
  }

  /// What is to be added to the monotonic time of what is heard now, so that the session's axis goes on:
  /// nothing in the same boot; in another one, whose axis begins anew, the time that the civil clock says has passed.
  func shift(at monotonic: MonotonicTime, _ wall: WallTime, bootID: String?) -> Duration {
    if let bootID, bootID == lastBoot, monotonic >= last.monotonic { return .zero }
    let passed = max(Self.shortestBoot, wall.duration(since: last.wall))
    return last.monotonic.advanced(by: passed).duration(since: monotonic)
  }
}

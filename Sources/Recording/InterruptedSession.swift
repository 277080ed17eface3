import Pipeline
import Repository
import TachogramCore

/// A session whose recording was cut off, as far as another recording needs it to go on with it: what derives from its
/// ledger is derived again, so that the pipeline stands where it stood.
struct InterruptedSession: Sendable {
  /// How long ago it may have been cut off, in microseconds. A clock without a battery may also stand before the cut.
  static let patience: Int64 = 3600 * 1_000_000
  /// The least time between two boots, in microseconds, where the clock tells less.
  private static let shortestBoot: Int64 = 1_000_000

  let description: SessionDescription
  let pipeline: SessionPipeline
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
    guard let record, !record.isComplete, ids.contains(record.description.id),
      record.description.person == wearer.person,
      record.description.label == wearer.label, abs(now.microseconds - record.end.microseconds) <= patience
    else { return nil }
    var description = record.description
    description.strap = strap
    let links = try repository.links(of: description.id)
    guard let derivation = try Derivation(of: description, kind: options.kind, in: database) else { return nil }
    return InterruptedSession(
      description: description, pipeline: derivation.pipeline, derived: derivation.batch,
      entryCount: derivation.last.sequence + 1, linkCount: links.count, last: derivation.last,
      lastBoot: links.last?.bootID)
  }

  /// What is to be added to the monotonic time of what is heard now, in microseconds, so that the session's axis goes on:
  /// nothing in the same boot; in another one, whose axis begins anew, the time that the civil clock says has passed.
  func shift(at monotonic: MonotonicTime, _ wall: WallTime, bootID: String?) -> Int64 {
    if let bootID, bootID == lastBoot, monotonic >= last.monotonic { return 0 }
    let passed = max(Self.shortestBoot, wall.microseconds - last.wall.microseconds)
    return last.monotonic.advanced(byMicroseconds: passed).microseconds(since: monotonic)
  }
}

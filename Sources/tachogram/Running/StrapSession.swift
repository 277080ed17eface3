import Capture
import Pipeline
import Repository
import Stress
import TachogramCore

/// One strap's session while a capture is replayed: the pipeline, and the way into the database.
final class StrapSession {
  /// Ledger entries a transaction; with a replay at full speed, a transaction takes some milliseconds.
  private static let groupSize = 4096

  let description: SessionDescription
  private var pipeline: SessionPipeline
  private var batch = SessionBatch()
  private let repository: SessionRepository?
  /// Sees what each entry led to.
  var observe: ((SessionBatch) throws -> Void)?

  /// Begins the session of `strap` with its first entry.
  init(
    strap: PlannedStrap, first: LedgerEntry, person: String?, kind: HRVKind, database: TachogramDatabase?,
  ) throws {
    let id = SessionDescription.identifier(strap: strap.identity.address, first: first)
    description = SessionDescription(
      id: id, strap: strap.identity, origin: .replay, person: person, start: first.wall,
      monotonicStart: first.monotonic)
    let baseline = try Baselines.baseline(
      person: person, kind: kind, at: first.wall, excludingSession: id, database: database)
    pipeline = SessionPipeline(session: description, baseline: baseline, deviceID: "replay")
    repository = database.map(SessionRepository.init(database:))
    _ = try repository?.begin(description)
    batch.links = strap.links
  }

  /// Takes an entry.
  func ingest(_ entry: LedgerEntry) throws {
    if let observe {
      var news = SessionBatch()
      pipeline.ingest(entry, into: &news)
      batch.append(news)
      news.entries = [entry]
      try observe(news)
    } else {
      pipeline.ingest(entry, into: &batch)
    }
    if repository != nil {
      batch.entries.append(entry)
      if batch.entries.count >= Self.groupSize { try commit() }
    } else if batch.beats.count >= Self.groupSize {
      batch.removeAll()
    }
  }

  /// Stores what is not stored yet.
  func commit() throws {
    if let repository, !batch.isEmpty { try repository.append(batch, to: description.id) }
    batch.removeAll()
  }

  /// Ends the session in order, and reports it.
  func finish() throws -> SessionReport {
    try commit()
    pipeline.finish(into: &batch)
    try observe?(batch)
    try commit()
    try repository?.finish(description.id)
    return pipeline.report()
  }
}

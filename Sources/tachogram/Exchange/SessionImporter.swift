import Pipeline
import Recording
import Repository
import TachogramCore

/// Stores a session that comes from a file: its ledger, and what derives from it by the code that derives it live.
struct SessionImporter {
  private static let batchSize = 4096

  let database: TachogramDatabase
  /// Which metric stands for HRV in the stress levels.
  let kind: HRVKind

  /// What comes in.
  struct Incoming {
    var description: SessionDescription
    var links: [StrapLink]
    var entries: [LedgerEntry]
    /// The stress levels as they were; `nil`: they are computed against the person's baseline.
    var stress: [StressMeasurement]?
    var isComplete = true
  }

  enum Outcome {
    case imported
    /// It is stored already, with the same ledger.
    case known
  }

  /// Stores a session. One that is stored already stays as it is; of one whose beginning is stored, the rest is added.
  func store(_ incoming: Incoming) throws -> Outcome {
    let repository = SessionRepository(database: database)
    let id = incoming.description.id
    if let stored = try repository.storedSession(id) {
      try compare(incoming, repository)
      if stored.entryCount >= incoming.entries.count && (stored.isComplete || !incoming.isComplete) { return .known }
    }
    try repository.begin(incoming.description)
    var pipeline = try SessionPipeline(of: incoming.description, kind: kind, database: database)
    var batch = SessionBatch()
    batch.links = incoming.links
    for entry in incoming.entries {
      pipeline.ingest(entry, into: &batch)
      batch.entries.append(entry)
      if batch.entries.count == Self.batchSize { try store(&batch, of: incoming, in: repository) }
    }
    pipeline.finish(into: &batch)
    try store(&batch, of: incoming, in: repository)
    batch.stress = incoming.stress ?? []
    try repository.append(batch, to: id)
    if incoming.isComplete { try repository.finish(id) }
    return .imported
  }

  private func store(_ batch: inout SessionBatch, of incoming: Incoming, in repository: SessionRepository) throws {
    if incoming.stress != nil { batch.stress.removeAll() }
    try repository.append(batch, to: incoming.description.id)
    batch.removeAll()
  }

  /// Throws where the two ledgers differ as far as both go.
  private func compare(_ incoming: Incoming, _ repository: SessionRepository) throws {
    let id = incoming.description.id
    var next = 0
    try repository.forEachEntry(of: id, batchSize: Self.batchSize) { entries in
      for entry in entries where next < incoming.entries.count {
        guard incoming.entries[next] == entry else {
          throw RepositoryError.ledgerConflict(session: id, sequence: entry.sequence)
        }
        next += 1
      }
    }
  }
}

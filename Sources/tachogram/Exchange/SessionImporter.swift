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

    /// Whether a stored session can be the beginning of this one.
    fileprivate func isContinuation(of stored: SessionDescription) -> Bool {
      var same = description
      (same.person, same.label, same.strap.characteristics) = (
        stored.person, stored.label, stored.strap.characteristics
      )
      return same == stored
    }

    /// With the rest of a session of which the beginning is stored. The levels of one that was whole are computed: what a
    /// file says of them is not what they were.
    fileprivate func given(to stored: SessionRecord) -> Incoming {
      var incoming = self
      let description = stored.description
      (incoming.description.person, incoming.description.label) = (description.person, description.label)
      incoming.description.strap.characteristics.merge(description.strap.characteristics) { _, stored in stored }
      incoming.stress =
        stored.isComplete
        ? nil
        : stress?.map { level in
          var level = level
          level.person = description.person
          return level
        }
      return incoming
    }
  }

  enum Outcome {
    case imported
    /// It is stored already, with the same ledger.
    case known
  }

  /// Stores a session. One that is stored already stays as it is, and that of whom it is; of one whose beginning is stored,
  /// the rest is added. A session that was recorded live and ended in order is never added to.
  func store(_ incoming: Incoming) throws -> Outcome {
    let repository = SessionRepository(database: database)
    let id = incoming.description.id
    // From before the look that counts, so that nobody records meanwhile what is found to be cut off.
    let isPart = try repository.storedSession(id)?.isComplete == false
    let lock = isPart ? RecordingLock.alone(database: database.path) : nil
    defer { withExtendedLifetime(lock) {} }
    guard let stored = try repository.storedSession(id) else {
      try fill(incoming, repository) {
        let deletion = DeletionRepository(database: database)
        try deletion.delete(.session(id))
        // Somebody of whom nothing is stored is not to be known for it.
        if let person = incoming.description.person { try deletion.forgetUnused(person) }
      }
      return .imported
    }
    try compare(incoming, repository)
    let isLonger = incoming.entries.count > stored.entryCount
    let endsIt = incoming.isComplete && !stored.isComplete && incoming.entries.count == stored.entryCount
    guard isLonger || endsIt, !stored.isComplete || stored.description.origin != .live else { return .known }
    guard incoming.isContinuation(of: stored.description) else { throw RepositoryError.otherSession(session: id) }
    guard stored.isComplete || lock != nil else {
      throw CommandFailure(
        "session \(id) is stored in part, and a station or a recording is using \(database.path); stop it first")
    }
    let kind = try repository.stress(of: id).first?.kind ?? kind
    try fill(incoming.given(to: stored), repository) {
      try SessionReprocessor(database: database).restore(stored, kind: kind)
    }
    return .imported
  }

  /// Derives and stores all of a session. `undo` is for when that fails in the middle.
  private func fill(_ incoming: Incoming, _ repository: SessionRepository, undo: () throws -> Void) throws {
    do {
      try repository.begin(incoming.description)
      var pipeline = try SessionPipeline(of: incoming.description, kind: kind, database: database)
      var batch = SessionBatch()
      batch.links = incoming.links
      for entry in incoming.entries {
        if batch.entries.count == Self.batchSize {
          if Interrupt.isRequested { throw CommandFailure("stopped by the user", code: .interrupted) }
          try store(&batch, of: incoming, in: repository)
        }
        pipeline.ingest(entry, into: &batch)
        batch.entries.append(entry)
      }
      pipeline.finish(into: &batch)
      // With the last entries, so that whatever holds all of them holds the levels.
      batch.stress = incoming.stress ?? batch.stress
      try repository.append(batch, to: incoming.description.id)
      if incoming.isComplete { try repository.finish(incoming.description.id) }
    } catch {
      try? undo()
      throw error
    }
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

import GRDB
import TachogramCore

/// Keeps sessions: the ledger of what was heard, which is never rewritten, and what was derived from it.
package struct SessionRepository: Sendable {
  /// The fewest characters that name a session.
  package static let shortestPrefix = 4

  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  // MARK: - Writing

  /// Stores a session that begins, or begins a stored one anew: a replay that is repeated, or resumed after it was cut
  /// off. What was derived of it before is deleted, so that it can be derived from the first entry again; the ledger
  /// stays. Stress measurements that the person deleted stay deleted.
  ///
  /// - Returns: How many entries the ledger of the session holds.
  @discardableResult
  package func begin(_ session: SessionDescription) throws(RepositoryError) -> Int64 {
    try database.write { db in
      let key = try SessionTable(db: db).begin(session)
      return try SequencedTable.ledger.nextSequence(db, session: key)
    }
  }

  /// Stores a session that begins, or begins a stored one anew, together with its first batch and with what became known
  /// of the strap meanwhile: all or nothing. What derives from the stored entries, all of it, must be in the batch; else
  /// `kind` says that it is owed, and which metric stands for HRV in its stress.
  package func begin(
    _ session: SessionDescription, with batch: SessionBatch, describing strap: StrapIdentity? = nil,
    owing kind: HRVKind? = nil,
  ) throws(RepositoryError) {
    try database.write { db in
      let table = SessionTable(db: db)
      let key = try table.begin(session)
      try SessionWriter(db: db, id: session.id).write(batch)
      if let strap { try table.describe(key, strap.characteristics) }
      if let kind { try table.owe(key, kind) }
    }
  }

  /// Stores a session whole, as from a file: begins it, or begins a stored one anew, and takes its batches in order as
  /// `body` hands them over, all in one transaction. When anything throws, all is as it was: what hours amounted to, and
  /// the stress measurements of an earlier session, too. Nobody else writes meanwhile, and `body` must not use the
  /// database but through what it is given. The session takes the place of its `copies`, which are deleted; what is said of
  /// the person and the label is up to the caller. Throws `RepositoryError`, or what `body` throws.
  package func store(
    _ session: SessionDescription, isComplete: Bool, inPlaceOf copies: [String] = [],
    _ body: (_ append: (SessionBatch) throws -> Void) throws -> Void,
  ) throws {
    var failure: (any Error)?
    do {
      try database.write { db in
        let table = SessionTable(db: db)
        let key = try table.begin(session)
        let writer = try SessionWriter(db: db, id: session.id)
        do {
          try body(writer.write)
        } catch {
          failure = error
          throw error
        }
        if isComplete { try table.finish(session.id) }
        try delete(copies, of: key, db)
      }
    } catch {
      // What is not the database's is not told in its terms.
      throw failure.flatMap { $0 is DatabaseError ? nil : $0 } ?? error
    }
  }

  /// Stores what derives from the stored entries of a session, all of it, in place of what was stored of that; nothing is
  /// owed then. `isOver`: the session is closed in order. Throws `sessionNotFound` when it was deleted.
  package func derive(_ batch: SessionBatch, of sessionID: String, isOver: Bool) throws(RepositoryError) {
    try database.write { db in
      let table = SessionTable(db: db)
      try table.empty(sessionID)
      try SessionWriter(db: db, id: sessionID).write(batch)
      if isOver { try table.finish(sessionID) }
    }
  }

  /// Stores a batch whole, together with what is new of the strap, or, when it throws, nothing.
  ///
  /// Entries, beats and gaps follow on the stored ones without holes (`sequenceHole`). An entry that is stored already
  /// must be the same (`ledgerConflict`) and stays as it is, and so must a link (`linkConflict`), except for how its
  /// handle is known. Stress measurements become measurements of this session. A derived row that refers to an entry
  /// which is neither stored nor in the batch is refused (`contradiction`). `kind` as in `begin`.
  package func append(
    _ batch: SessionBatch, to sessionID: String, describing strap: StrapIdentity? = nil, owing kind: HRVKind? = nil,
  ) throws(RepositoryError) {
    if batch.isEmpty, strap == nil, kind == nil { return }
    try database.write { db in
      let writer = try SessionWriter(db: db, id: sessionID)
      try writer.write(batch)
      if let strap { try SessionTable(db: db).describe(writer.key, strap.characteristics) }
      if let kind { try SessionTable(db: db).owe(writer.key, kind) }
    }
  }

  /// Puts a stored session in the place of stored copies of it: they are deleted, with their stress levels, and the session
  /// gets a person and a label, where they are given. All or nothing. What hours amount to is pending then.
  package func merge(
    _ copies: [String], into sessionID: String, person: String? = nil, label: String? = nil,
  ) throws(RepositoryError) {
    try database.write { db in
      try SessionMerge(db: db).assign(sessionID, person: person, label: label)
      try delete(copies, of: try SessionTable(db: db).key(of: sessionID), db)
    }
  }

  private func delete(_ copies: [String], of kept: Int64, _ db: Database) throws {
    for copy in copies { try SessionMerge(db: db).delete(copy: copy, of: kept) }
    if !copies.isEmpty { try SessionTable(db: db).deleteUnusedStraps() }
  }

  /// Marks a session as closed in order.
  package func finish(_ sessionID: String) throws(RepositoryError) {
    try database.write { db in try SessionTable(db: db).finish(sessionID) }
  }

  // MARK: - Reading sessions

  /// All sessions, the newest first.
  package func sessions() throws(RepositoryError) -> [SessionRecord] {
    try database.read { db in try SessionTable(db: db).all() }
  }

  /// The sessions of which a part lies in a range of time, by the clock at their start; the newest first. It costs a lookup
  /// for each session that began before the end of the range.
  package func sessions(overlapping range: ClosedRange<WallTime>) throws(RepositoryError) -> [SessionRecord] {
    try database.read { db in try SessionTable(db: db).overlapping(range) }
  }

  /// The sessions whose ledger is stored alone, the oldest first, with the metric that stands for HRV in their stress.
  package func owedSessions() throws(RepositoryError) -> [(session: SessionRecord, kind: HRVKind)] {
    try database.read { db in
      let table = SessionTable(db: db)
      return try table.owed().map { (try table.record($0.id), $0.kind) }
    }
  }

  /// The session whose identifier begins with `prefix`, in either case: at least four characters, enough to tell it
  /// from the others.
  package func session(matching prefix: String) throws(RepositoryError) -> SessionRecord {
    guard prefix.count >= Self.shortestPrefix else { throw .prefixTooShort(prefix: prefix) }
    return try database.read { db in
      let table = SessionTable(db: db)
      let matches = try table.identifiers(prefix: prefix.lowercased())
      guard let match = matches.first else { throw RepositoryError.sessionNotFound(prefix: prefix) }
      guard matches.count == 1 else { throw RepositoryError.sessionAmbiguous(prefix: prefix, matches: matches) }
      return try table.record(match)
    }
  }

  /// The session with this whole identifier; `nil` when none is stored.
  package func storedSession(_ id: String) throws(RepositoryError) -> SessionRecord? {
    try database.read { db in
      let table = SessionTable(db: db)
      return try table.identifiers(prefix: id).contains(id) ? table.record(id) : nil
    }
  }

  // MARK: - Reading what a session holds

  /// The links, by number.
  package func links(of sessionID: String) throws(RepositoryError) -> [StrapLink] {
    try read(sessionID) { reader in try reader.links() }
  }

  /// The first beat; `nil` where there is none.
  package func firstBeat(of sessionID: String) throws(RepositoryError) -> Beat? {
    try read(sessionID) { reader in try reader.beats(from: 0, limit: 1).first }
  }

  /// The gaps, in order.
  package func gaps(of sessionID: String) throws(RepositoryError) -> [BeatGap] {
    try read(sessionID) { reader in try reader.gaps() }
  }

  /// The artifacts, in the order of the beats.
  package func artifacts(of sessionID: String) throws(RepositoryError) -> [BeatArtifact] {
    try read(sessionID) { reader in try reader.artifacts() }
  }

  /// The windows by their end, the shorter first where several end together.
  package func windows(of sessionID: String) throws(RepositoryError) -> [HRVWindow] {
    try read(sessionID) { reader in try reader.windows() }
  }

  /// The stress measurements that were not deleted, the oldest first.
  package func stress(of sessionID: String) throws(RepositoryError) -> [StressMeasurement] {
    try read(sessionID) { reader in try StressMeasurementTable(db: reader.db).measurements(session: reader.key) }
  }

  /// Hands the ledger to `body`, in order and up to `batchSize` entries at a time: those that were stored when the call
  /// began. `body` may use the database. Throws `RepositoryError`, or what `body` throws.
  package func forEachEntry(
    of sessionID: String, batchSize: Int = 1_000, _ body: ([LedgerEntry]) throws -> Void,
  ) throws {
    try forEachBatch(
      of: sessionID, in: .ledger, fetch: { reader, next in try reader.entries(from: next, limit: max(1, batchSize)) },
      body: body,
    )
  }

  /// Hands the beats to `body`, in order and up to `batchSize` at a time: those that were stored when the call began.
  /// `body` may use the database. Throws `RepositoryError`, `sessionChanged` when the session began anew meanwhile, or
  /// what `body` throws.
  package func forEachBeat(
    of sessionID: String, batchSize: Int = 1_000, _ body: ([Beat]) throws -> Void,
  ) throws {
    try forEachBatch(
      of: sessionID, in: .beat, fetch: { reader, next in try reader.beats(from: next, limit: max(1, batchSize)) },
      body: body,
    )
  }

  /// Each batch is a read of its own, and `body` runs between them: it may take its time (a pipe that is read slowly)
  /// without holding the write-ahead log back from the file.
  private func forEachBatch<Element>(
    of sessionID: String, in table: SequencedTable, fetch: (SessionReader, Int64) throws -> [Element],
    body: ([Element]) throws -> Void,
  ) throws {
    let end = try read(sessionID) { reader in try table.nextSequence(reader.db, session: reader.key) }
    var next: Int64 = 0
    while next < end {
      var batch = try read(sessionID) { reader in try fetch(reader, next) }
      guard !batch.isEmpty else { throw RepositoryError.sessionChanged(session: sessionID) }
      batch.removeLast(max(0, batch.count - Int(end - next)))
      next += Int64(batch.count)
      try body(batch)
    }
  }

  private func read<Value>(
    _ sessionID: String, _ body: (SessionReader) throws -> Value,
  ) throws(RepositoryError) -> Value {
    try database.read { db in
      try body(SessionReader(db: db, key: try SessionTable(db: db).key(of: sessionID)))
    }
  }
}

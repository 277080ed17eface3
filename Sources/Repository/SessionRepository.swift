import FoundationEssentials
import GRDB
import StressKit
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

  /// Stores pieces of several sessions in one transaction, each of them whole or not at all: a session that refuses its piece
  /// keeps no other from being stored. A piece of a session that begins, or begins a stored one anew, is stored as by `begin`
  /// and `append`. Throws what keeps all of them from being stored.
  ///
  /// - Returns: Why each piece was refused, in their order; `nil` for those that were stored.
  package func store(_ pieces: [SessionPiece]) throws(RepositoryError) -> [RepositoryError?] {
    try database.write { db in
      try pieces.map { piece in
        var refusal: RepositoryError?
        try db.inSavepoint {
          do {
            try Self.store(piece, db)
            return .commit
          } catch let error as RepositoryError {
            refusal = error
          } catch let error as DatabaseError where Self.isOfValue(error) {
            refusal = SQLiteErrorTranslator(path: database.path).translate(error)
          }
          return .rollback
        }
        return refusal
      }
    }
  }

  /// Whether a row was refused, and not the transaction.
  private static func isOfValue(_ error: DatabaseError) -> Bool {
    [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode)
  }

  private static func store(_ piece: SessionPiece, _ db: Database) throws {
    let table = SessionTable(db: db)
    let id: String
    switch piece.place {
    case .beginning(let session):
      id = session.id
      _ = try table.begin(session)
    case .continuation(let session): id = session
    }
    let writer = try SessionWriter(db: db, id: id)
    try writer.write(piece.batch)
    if let strap = piece.strap { try table.describe(writer.key, strap.characteristics) }
    switch piece.derivation {
    case .pending(let kind): try table.notePendingDerivation(writer.key, kind)
    case .complete: try table.clearPendingDerivation(writer.key)
    case nil: break
    }
  }

  /// Begins a session, or a stored one anew, with its first batch: all or nothing.
  package func begin(_ session: SessionDescription, with batch: SessionBatch) throws(RepositoryError) {
    let refusals = try store([SessionPiece(.beginning(session), batch)])
    for case let refusal? in refusals { throw refusal }
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
      // An error that is not the database's is not reported in its terms.
      throw failure.flatMap { $0 is DatabaseError ? nil : $0 } ?? error
    }
  }

  /// Stores what derives from the stored entries of a session, all of it, in place of what was stored of that; nothing is
  /// pending then. `isOver`: the session is closed in order. Throws `sessionNotFound` when it was deleted.
  package func derive(_ batch: SessionBatch, of sessionID: String, isOver: Bool) throws(RepositoryError) {
    try database.write { db in
      let table = SessionTable(db: db)
      try table.empty(sessionID)
      try SessionWriter(db: db, id: sessionID).write(batch)
      if isOver { try table.finish(sessionID) }
    }
  }

  /// Stores what derives from the ledger of a session now in place of what was derived before, but what `keeping` says, which is
  /// given the stored rows. Where nothing changed, nothing is written, and with `isTrial` nothing in any case. Throws
  /// `sessionNotFound` when it was deleted.
  package func rederive(
    _ batch: SessionBatch, of sessionID: String, isTrial: Bool,
    keeping: @escaping (SessionBatch) -> RederivedSession.Kept,
  ) throws(RepositoryError) -> RederivedSession {
    try database.write { db in
      var result: RederivedSession?
      try db.inSavepoint {
        let change = try SessionRederivation(db: db, id: sessionID).replace(with: batch, keeping: keeping)
        result = change
        return isTrial || !change.isChanged ? .rollback : .commit
      }
      guard let result else { throw RepositoryError.sessionNotFound(prefix: sessionID) }
      return result
    }
  }

  /// Stores a batch whole, together with what is new of the strap, or, when it throws, nothing.
  ///
  /// Entries, beats and gaps follow on the stored ones without holes (`sequenceHole`). An entry that is stored already
  /// must be the same (`ledgerConflict`) and stays as it is, and so must a link (`linkConflict`), except for how its
  /// handle is known. Stress measurements become measurements of this session. A derived row that refers to an entry
  /// which is neither stored nor in the batch is refused (`contradiction`).
  package func append(
    _ batch: SessionBatch, to sessionID: String, describing strap: StrapIdentity? = nil,
  ) throws(RepositoryError) {
    if batch.isEmpty, strap == nil { return }
    try database.write { db in try Self.store(SessionPiece(.continuation(sessionID), batch, describing: strap), db) }
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

  /// Gives the recordings of this installation its identifier that were made before it had one, and their stress levels.
  package func nameRecordings(_ deviceID: String) throws(RepositoryError) {
    let unknown = SessionDescription.unknownDevice
    let isNamed = try database.read { db in
      try Bool.fetchOne(
        db, sql: "SELECT NOT EXISTS (SELECT 1 FROM session WHERE device_id = 'live')")
    }
    if isNamed == true { return }
    try database.write { db in
      try db.execute(
        sql: """
          UPDATE stress_measurement SET device_id = ?
          WHERE device_id = ? AND session IN (SELECT key FROM session WHERE device_id = 'live')
          """, arguments: [deviceID, unknown])
      try db.execute(sql: "UPDATE session SET device_id = ? WHERE device_id = 'live'", arguments: [deviceID])
    }
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
  package func pendingDerivations() throws(RepositoryError) -> [(session: SessionRecord, kind: HRVKind)] {
    try database.read { db in
      let table = SessionTable(db: db)
      return try table.pendingDerivations().map { (try table.record($0.id), $0.kind) }
    }
  }

  /// Which metric stands for HRV in the stress of a session; `nil` for one that has none and none pending.
  package func kind(of sessionID: String) throws(RepositoryError) -> HRVKind? {
    if let pending = try pendingDerivations().first(where: { $0.session.description.id == sessionID }) {
      return pending.kind
    }
    return try stress(of: sessionID).first?.kind
  }

  /// The session whose identifier begins with `prefix`, in either case: at least four characters, enough to distinguish it
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

  /// The identifiers of the stress measurements that the person deleted.
  package func deletedStress(of sessionID: String) throws(RepositoryError) -> Set<UUID> {
    try read(sessionID) { reader in
      let ids = try String.fetchAll(
        reader.db, sql: "SELECT id FROM stress_measurement WHERE session = ? AND is_deleted = 1",
        arguments: [reader.key])
      return Set(ids.compactMap(UUID.init(uuidString:)))
    }
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

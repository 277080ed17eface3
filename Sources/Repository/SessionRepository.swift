import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

/// The sessions: the ledger of received notifications, which is never rewritten, and the rows derived from it.
package struct SessionRepository: Sendable {
  /// The least number of characters that identify a session.
  package static let shortestPrefix = 4

  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  // MARK: - Writing

  /// Stores a session that begins, or that replaces a stored one, as when a replay is repeated or resumed. The derived rows of
  /// the stored session are deleted, so that they can be derived from the first entry again; its ledger is kept. Stress
  /// measurements that the person deleted stay deleted.
  ///
  /// - Returns: The number of entries in the ledger of the session.
  @discardableResult
  package func begin(_ session: SessionDescription) throws(RepositoryError) -> Int64 {
    try database.write { db in
      let key = try SessionTable(db: db).begin(session)
      return try SequencedTable.ledger.nextSequence(db, session: key)
    }
  }

  /// Stores pieces of several sessions in one transaction, each of them completely or not at all; a refused piece does not
  /// prevent the others from being stored. A piece of a session that begins is stored as by `begin` and `append`. Throws the
  /// error that prevents storing all of them.
  ///
  /// - Returns: The reason for which each piece was refused, in their order; `nil` for stored pieces.
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

  /// Whether a row was refused, rather than the transaction.
  static func isOfValue(_ error: DatabaseError) -> Bool {
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

  /// Begins a session, or replaces a stored one, with its first batch, completely or not at all.
  package func begin(_ session: SessionDescription, with batch: SessionBatch) throws(RepositoryError) {
    let refusals = try store([SessionPiece(.beginning(session), batch)])
    for case let refusal? in refusals { throw refusal }
  }

  /// Stores a complete session, as from a file: begins it, or replaces a stored one, and appends the batches that `body`
  /// provides in order, in one transaction. If an error is thrown, nothing is changed, including trends and the stress
  /// measurements of a previous session. No other process writes meanwhile, and `body` must use the database only through its
  /// argument. The `copies` of the session are deleted; person and label are set by the caller. Throws `RepositoryError`, or
  /// the error of `body`.
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
      // An error of `body` is thrown unchanged.
      throw failure.flatMap { $0 is DatabaseError ? nil : $0 } ?? error
    }
  }

  /// Stores a session of another database, with what persons added to it, completely or not at all. Throws `contradiction` if a
  /// session with its identifier is stored.
  package func add(_ copy: CopiedSession, at time: WallTime) throws(RepositoryError) {
    let path = database.path
    try database.write { db in try SessionCopy(db: db, path: path).add(copy, at: time) }
  }

  /// Replaces all derived rows of a session with `batch`; nothing is pending then. `isOver` is whether the session ended in
  /// order. Throws `sessionNotFound` if it was deleted.
  package func derive(_ batch: SessionBatch, of sessionID: String, isOver: Bool) throws(RepositoryError) {
    try database.write { db in
      let table = SessionTable(db: db)
      try table.empty(sessionID)
      try SessionWriter(db: db, id: sessionID).write(batch)
      if isOver { try table.finish(sessionID) }
    }
  }

  /// Replaces the derived rows of a session with rows that were derived again, except those that `keeping` selects from the
  /// stored rows. If nothing changed, nothing is written, and with `isTrial` nothing in any case. Throws `sessionNotFound` if
  /// it was deleted.
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

  /// Stores a batch with the new facts about the strap, completely or not at all.
  ///
  /// Entries, beats and gaps follow the stored ones without holes (`sequenceHole`). An entry that is already stored must be
  /// equal (`ledgerConflict`) and is kept, and so must a link (`linkConflict`), except for the source of its handle. Stress
  /// measurements become measurements of this session. A derived row that refers to an entry that is neither stored nor in the
  /// batch is refused (`contradiction`).
  package func append(
    _ batch: SessionBatch, to sessionID: String, describing strap: StrapIdentity? = nil,
  ) throws(RepositoryError) {
    if batch.isEmpty, strap == nil { return }
    try database.write { db in try Self.store(SessionPiece(.continuation(sessionID), batch, describing: strap), db) }
  }

  /// Replaces stored copies of a session with it: they are deleted, with their stress levels, and the session is assigned a
  /// person and a label, if given. All or nothing. The trends of its hours are pending then.
  package func merge(
    _ copies: [String], into sessionID: String, person: String? = nil, label: String? = nil,
  ) throws(RepositoryError) {
    try database.write { db in
      try SessionMerge(db: db).assign(
        sessionID, SessionEdit(person: person.map(Optional.some), label: label.map(Optional.some)))
      try delete(copies, of: try SessionTable(db: db).key(of: sessionID), db)
    }
  }

  /// Moves the end of a session into a new one. All or nothing. Throws `sessionNotFound`.
  package func divide(_ sessionID: String, _ division: DividedSession) throws(RepositoryError) {
    try database.write { db in try SessionDivision(db: db).divide(sessionID, division) }
  }

  /// Appends the entries of a session to another one, which gets its markers and its note as well, and deletes it. All or
  /// nothing. Returns the identifier of the result, which is a new one if other stations may have the first session. Throws
  /// `sessionNotFound`.
  package func join(_ sessionID: String, _ joined: JoinedSession) throws(RepositoryError) -> String {
    try database.write { db in try SessionDivision(db: db).join(sessionID, joined) }
  }

  private func delete(_ copies: [String], of kept: Int64, _ db: Database) throws {
    for copy in copies { try SessionMerge(db: db).delete(copy: copy, of: kept) }
    if !copies.isEmpty { try SessionTable(db: db).deleteUnusedStraps() }
  }

  /// Marks a session as ended in order.
  package func finish(_ sessionID: String) throws(RepositoryError) {
    try database.write { db in try SessionTable(db: db).finish(sessionID) }
  }

  /// Assigns the identifier of this installation to its recordings, and their stress levels, that were made before it had one.
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

  /// Returns all sessions, the newest first.
  package func sessions() throws(RepositoryError) -> [SessionRecord] {
    try database.read { db in try SessionTable(db: db).all() }
  }

  /// Returns the sessions that overlap a range of time, by the clock at their start, the newest first. The cost is a lookup for
  /// each session that began before the end of the range.
  package func sessions(overlapping range: ClosedRange<WallTime>) throws(RepositoryError) -> [SessionRecord] {
    try database.read { db in try SessionTable(db: db).overlapping(range) }
  }

  /// Returns the sessions with pending derived rows, the oldest first, with the HRV metric of their stress.
  package func pendingDerivations() throws(RepositoryError) -> [(session: SessionRecord, kind: HRVKind)] {
    try database.read { db in
      let table = SessionTable(db: db)
      return try table.pendingDerivations().map { (try table.record($0.id), $0.kind) }
    }
  }

  /// Returns the HRV metric of the stress of a session, or `nil` if it has no stress and none is pending.
  package func kind(of sessionID: String) throws(RepositoryError) -> HRVKind? {
    if let pending = try pendingDerivations().first(where: { $0.session.description.id == sessionID }) {
      return pending.kind
    }
    return try stress(of: sessionID).first?.kind
  }

  /// Returns the session whose identifier begins with `prefix`, case-insensitively. The prefix has at least four characters and
  /// must be unique.
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

  /// Returns the session with a complete identifier, or `nil` if there is none.
  package func storedSession(_ id: String) throws(RepositoryError) -> SessionRecord? {
    try database.read { db in
      let table = SessionTable(db: db)
      return try table.identifiers(prefix: id).contains(id) ? table.record(id) : nil
    }
  }

  // MARK: - Reading what a session holds

  /// Returns the links, by number.
  package func links(of sessionID: String) throws(RepositoryError) -> [StrapLink] {
    try read(sessionID) { reader in try reader.links() }
  }

  /// Returns the markers, in the order of their times.
  package func markers(of sessionID: String) throws(RepositoryError) -> [SessionMarker] {
    try read(sessionID) { reader in try MarkerTable(db: reader.db).markers(of: reader.key) }
  }

  /// Returns the first beat, or `nil` if there is none.
  package func firstBeat(of sessionID: String) throws(RepositoryError) -> Beat? {
    try read(sessionID) { reader in try reader.beats(from: 0, limit: 1).first }
  }

  /// Returns the last stored entry of the ledger and the last stored beat, each `nil` if there is none.
  package func ends(of sessionID: String) throws(RepositoryError) -> (entry: LedgerEntry?, beat: Beat?) {
    try database.read { db in
      let key = try SessionTable(db: db).key(of: sessionID)
      let reader = SessionReader(db: db, key: key)
      let entries = try SequencedTable.ledger.nextSequence(db, session: key)
      let beats = try SequencedTable.beat.nextSequence(db, session: key)
      return (
        try reader.entries(from: max(0, entries - 1), limit: 1).first,
        try reader.beats(from: max(0, beats - 1), limit: 1).first
      )
    }
  }

  /// Returns the gaps, in order.
  package func gaps(of sessionID: String) throws(RepositoryError) -> [BeatGap] {
    try read(sessionID) { reader in try reader.gaps() }
  }

  /// Returns the artifacts, in the order of the beats.
  package func artifacts(of sessionID: String) throws(RepositoryError) -> [BeatArtifact] {
    try read(sessionID) { reader in try reader.artifacts() }
  }

  /// Returns the windows by their end, the shorter first if several end together.
  package func windows(of sessionID: String) throws(RepositoryError) -> [HRVWindow] {
    try read(sessionID) { reader in try reader.windows() }
  }

  /// Returns the stress measurements that were not deleted, the oldest first.
  package func stress(of sessionID: String) throws(RepositoryError) -> [StressMeasurement] {
    try read(sessionID) { reader in try StressMeasurementTable(db: reader.db).measurements(session: reader.key) }
  }

  /// Returns the identifiers of the stress measurements that the person deleted.
  package func deletedStress(of sessionID: String) throws(RepositoryError) -> Set<UUID> {
    try read(sessionID) { reader in
      let ids = try String.fetchAll(
        reader.db, sql: "SELECT id FROM stress_measurement WHERE session = ? AND is_deleted = 1",
        arguments: [reader.key])
      return Set(ids.compactMap(UUID.init(uuidString:)))
    }
  }

  /// Calls `body` with the entries of the ledger that were stored at the time of the call, in order, at most `batchSize` at a
  /// time. `body` may use the database. Throws `RepositoryError`, or the error of `body`.
  package func forEachEntry(
    of sessionID: String, batchSize: Int = 1_000, _ body: ([LedgerEntry]) throws -> Void,
  ) throws {
    try forEachBatch(
      of: sessionID, in: .ledger, fetch: { reader, next in try reader.entries(from: next, limit: max(1, batchSize)) },
      body: body,
    )
  }

  /// Calls `body` with the beats that were stored at the time of the call, in order, at most `batchSize` at a time. `body` may
  /// use the database. Throws `RepositoryError`, `sessionChanged` if the session was derived again meanwhile, or the error of
  /// `body`.
  package func forEachBeat(
    of sessionID: String, batchSize: Int = 1_000, _ body: ([Beat]) throws -> Void,
  ) throws {
    try forEachBatch(
      of: sessionID, in: .beat, fetch: { reader, next in try reader.beats(from: next, limit: max(1, batchSize)) },
      body: body,
    )
  }

  /// Calls `body` with the beats and gaps in chronological order: a gap precedes the first beat of the entry that ended it. Reads
  /// at most `batchSize` beats at a time, as `forEachBeat`.
  package func forEachEvent(of sessionID: String, batchSize: Int = 1_000, _ body: (BeatEvent) throws -> Void) throws {
    var gaps = try gaps(of: sessionID)[...]
    try forEachBeat(of: sessionID, batchSize: batchSize) { beats in
      for beat in beats {
        while let gap = gaps.first, gap.ledgerSequence <= beat.ledgerSequence {
          try body(.gap(gap))
          gaps = gaps.dropFirst()
        }
        try body(.beat(beat))
      }
    }
    for gap in gaps { try body(.gap(gap)) }
  }

  /// Returns the entries that arrived after `start`, up to and including `end`, by the civil clock, in order.
  package func entries(
    of sessionID: String, after start: WallTime, until end: WallTime
  ) throws(RepositoryError) -> [LedgerEntry] {
    try read(sessionID) { reader in try reader.entries(after: start, until: end) }
  }

  /// Reads each batch in its own access, so that a slow `body`, such as one that writes to a pipe, does not prevent checkpoints
  /// of the write-ahead log.
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

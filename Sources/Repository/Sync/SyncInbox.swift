import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

/// Stores what the logs of other stations contain.
package struct SyncInbox: Sendable {
  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// Applies the chunks of a log in their order, and stores the log, in one transaction. A chunk that is refused does not prevent
  /// the others from being applied. `kind` is the HRV metric for the derivation of sessions. `own` are chunks of this station that the
  /// store has and the database has not, as after a backup was restored. `log` returns the state of the log and
  /// its new headers after the outcomes.
  ///
  /// - Returns: The outcomes, in the order of the chunks, or `nil` if a person changed a target of their edits meanwhile: that has
  ///   to be sealed first.
  package func apply(
    _ arrivals: [SyncArrival], of station: [UInt8], kind: HRVKind, clock: SyncRows.Clock?,
    own: [SyncRows.Sealed] = [], discarded: [SyncRows.Edit] = [],
    log: ([SyncArrival.Outcome]) throws -> (SyncRows.Log, [SyncRows.Chunk])
  ) throws(RepositoryError) -> [SyncArrival.Outcome]? {
    let path = database.path
    return try database.write { db in
      if try isChanged(arrivals, db) { return nil }
      let logs = SyncLogTable(db: db)
      let number = try logs.storedNumber(of: station)
      let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM sync_change") ?? 0
      let isOwn = try logs.isOwn(station)
      let application = SyncApplication(db: db, path: path, station: isOwn ? nil : number, kind: kind)
      let effects = arrivals.flatMap(\.effects)
      let deleted = try application.sessions(of: effects)
      let outcomes = try arrivals.map { arrival in
        var outcome = SyncArrival.Outcome.applied
        try db.inSavepoint {
          do {
            outcome = try application.apply(arrival.content)
            return .commit
          } catch let error as RepositoryError {
            outcome = .refused(error.description)
          } catch let error as DatabaseError where SessionRepository.isOfValue(error) {
            outcome = .refused(SQLiteErrorTranslator(path: path).translate(error).description)
          }
          return .rollback
        }
        return outcome
      }
      // What is stored here came from an edit, and is not one of this station.
      try db.execute(
        sql: "DELETE FROM sync_change WHERE number > ? AND kind NOT IN (?, ?)",
        arguments: [last, Int64(SyncRows.Change.doomedSession), Int64(SyncRows.Change.editChunk)])
      try noteDroppedSessions(effects, db)
      for session in deleted {
        try SyncChangeTable(db: db).note(SyncChangeTable.Kind.session, session)
      }
      let (state, chunks) = try log(outcomes)
      try logs.store(state, chunks)
      try logs.discard(discarded)
      if let clock { try logs.store(clock) }
      for sealed in own { try SyncOutbox.adopt(sealed, db) }
      return outcomes
    }
  }

  private func isChanged(_ arrivals: [SyncArrival], _ db: Database) throws -> Bool {
    for case .edits(let edits, _) in arrivals.map(\.content) {
      for edit in edits {
        if try SyncChangeTable(db: db).isNoted(edit.kind, edit.target) { return true }
      }
    }
    return false
  }

  /// Notes that the own chunks of deleted sessions are to be deleted in the store.
  private func noteDroppedSessions(_ effects: [SyncArrival.Effect], _ db: Database) throws {
    for case .deletedSession(let id) in effects {
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO sync_change (kind, target, time_us)
          SELECT ?, ?, 0 WHERE EXISTS (SELECT 1 FROM sync_sealed WHERE session = ?)
          """, arguments: [Int64(SyncRows.Change.droppedSession), id, id])
    }
  }

  /// Changes the name or the person of a known strap to what others entered; an absent one does not change.
  package func adopt(_ strap: BluetoothAddress, name: String?, person: String??) throws(RepositoryError) {
    try database.write { db in
      let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM sync_change") ?? 0
      try StrapRepository.change(strap, name, person, db)
      try db.execute(sql: "DELETE FROM sync_change WHERE number > ?", arguments: [last])
    }
  }

  /// Stores the rows that were derived again from the ledger of a received session, and keeps its stress levels, which come from
  /// the station that recorded it. Throws `sessionNotFound` if it was deleted.
  package func derive(_ batch: SessionBatch, of session: String) throws(RepositoryError) {
    try database.write { db in
      var rows = batch
      let key = try SessionTable(db: db).key(of: session)
      rows.stress = try StressMeasurementTable(db: db).measurements(session: key)
      try SessionTable(db: db).empty(session)
      try SessionWriter(db: db, id: session).write(rows)
    }
  }
}

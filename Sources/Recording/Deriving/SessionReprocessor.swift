import Pipeline
import Repository
import StressKit
import TachogramCore

/// Derives the beats, HRV and stress of stored sessions from their ledgers again, with the code of this version.
package struct SessionReprocessor {
  package let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// Returns the report of a stored session, without storing anything.
  package func report(_ record: SessionRecord, kind: HRVKind, options: AnalysisOptions) throws -> SessionReport {
    var deriver = try SessionDeriver(
      record.description, kind: kind, in: database, options: options, output: .report)
    _ = try deriver.ingestLedger(in: database)
    deriver.finish()
    return deriver.report()
  }

  /// Stores the rows derived from the ledger again, with `kind` for HRV, and everything else as in `record`.
  package func restore(_ record: SessionRecord, kind: HRVKind) throws {
    let (repository, id) = (SessionRepository(database: database), record.description.id)
    try repository.begin(record.description)
    var deriver = try SessionDeriver(record.description, kind: kind, in: database)
    _ = try deriver.ingestLedger(in: database) { try repository.append($0, to: id) }
    deriver.finish()
    try repository.append(deriver.drainRows(), to: id)
    if record.isComplete { try repository.finish(id) }
  }

  /// The rows of a session that are kept unchanged.
  package struct Keeping: Sendable {
    /// The identifier of this installation. Stress levels of recordings of other installations were imported from files.
    package let installation: String?
    /// Whether windows and levels are derived even if a session has none.
    package let restoresAbsent: Bool

    package init(installation: String?, restoresAbsent: Bool) {
      (self.installation, self.restoresAbsent) = (installation, restoresAbsent)
    }

    func kept(_ session: SessionDescription, _ rows: SessionBatch) -> RederivedSession.Kept {
      if !restoresAbsent, rows.windows.isEmpty, !rows.beats.isEmpty { return .deletedWindows }
      if rows.stress.contains(where: { isImported($0, session) }) { return .importedStress }
      return restoresAbsent || !rows.stress.isEmpty || rows.windows.isEmpty ? .nothing : .absentStress
    }

    /// Returns the rows of a stored session that are kept when it is derived again.
    func kept(_ record: SessionRecord, in repository: SessionRepository) throws -> RederivedSession.Kept {
      var rows = SessionBatch()
      rows.beats = try repository.firstBeat(of: record.description.id).map { [$0] } ?? []
      rows.windows = try repository.windows(of: record.description.id)
      rows.stress = try repository.stress(of: record.description.id)
      return kept(record.description, rows)
    }

    private func isImported(_ level: StressMeasurement, _ session: SessionDescription) -> Bool {
      let own = [installation, SessionDescription.unknownDevice, SessionDescription.Origin.replay.rawValue]
      return !own.contains(level.deviceID)
        || level.id
          != StressMeasurement.derivedID(session: session.id, microseconds: WallTime(level.timestamp).microseconds)
    }
  }

  /// Derives the rows of a session from its ledger and stores them in place of the previous ones, or, with `isTrial`, only
  /// determines what would change. The HRV metric of stress levels is kept. Sessions must be passed in chronological order,
  /// since the baseline of each is computed from earlier ones.
  package func reprocess(_ record: SessionRecord, keeping: Keeping, isTrial: Bool) throws -> RederivedSession {
    let (repository, session) = (SessionRepository(database: database), record.description)
    let kind = try repository.kind(of: session.id) ?? .sdnn
    var deriver = try SessionDeriver(session, kind: kind, in: database)
    _ = try deriver.ingestLedger(in: database)
    if record.isComplete { deriver.finish() }
    // Stress levels of another station read the same everywhere.
    let isReceived = try SyncOutbox(database: database).isReceived(session.id)
    return try repository.rederive(deriver.drainRows(), of: session.id, isTrial: isTrial) { rows in
      keeping.kept(session, rows).keepingStress(isReceived)
    }
  }
}

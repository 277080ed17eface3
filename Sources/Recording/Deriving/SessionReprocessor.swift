import Pipeline
import Repository
import StressKit
import TachogramCore

/// Derives beats, HRV and stress of stored sessions again from their ledgers, with the code of this version.
package struct SessionReprocessor {
  package let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// The report of a stored session, and nothing stored.
  package func report(_ record: SessionRecord, kind: HRVKind, options: AnalysisOptions) throws -> SessionReport {
    var deriver = try SessionDeriver(
      record.description, kind: kind, in: database, options: options, output: .report)
    _ = try deriver.ingestLedger(in: database)
    deriver.finish()
    return deriver.report()
  }

  /// Stores what derives from the ledger anew, with `kind` for HRV, and everything else as `record` has it.
  package func restore(_ record: SessionRecord, kind: HRVKind) throws {
    let (repository, id) = (SessionRepository(database: database), record.description.id)
    try repository.begin(record.description)
    var deriver = try SessionDeriver(record.description, kind: kind, in: database)
    _ = try deriver.ingestLedger(in: database) { try repository.append($0, to: id) }
    deriver.finish()
    try repository.append(deriver.drainRows(), to: id)
    if record.isComplete { try repository.finish(id) }
  }

  /// Which rows of a session are left as they are.
  package struct Keeping: Sendable {
    /// What names this installation: stress levels of other installations' recordings came from files.
    package let installation: String?
    /// Whether windows and levels are derived also where a session has none.
    package let restoresAbsent: Bool

    package init(installation: String?, restoresAbsent: Bool) {
      (self.installation, self.restoresAbsent) = (installation, restoresAbsent)
    }

    fileprivate func kept(_ session: SessionDescription, _ rows: SessionBatch) -> RederivedSession.Kept {
      if !restoresAbsent, rows.windows.isEmpty, !rows.beats.isEmpty { return .deletedWindows }
      if rows.stress.contains(where: { isImported($0, session) }) { return .importedStress }
      return restoresAbsent || !rows.stress.isEmpty || rows.windows.isEmpty ? .nothing : .absentStress
    }

    private func isImported(_ level: StressMeasurement, _ session: SessionDescription) -> Bool {
      let own = [installation, SessionDescription.unknownDevice, SessionDescription.Origin.replay.rawValue]
      return !own.contains(level.deviceID)
        || level.id
          != StressMeasurement.derivedID(session: session.id, microseconds: WallTime(level.timestamp).microseconds)
    }
  }

  /// Stores what derives from the ledger of a session now in place of what was derived before; with `isTrial`, only finds out
  /// what would change. Stress is of the metric that it was of. Sessions are to be given in the order of time: each is measured
  /// against a baseline of those before it.
  package func reprocess(_ record: SessionRecord, keeping: Keeping, isTrial: Bool) throws -> RederivedSession {
    let (repository, session) = (SessionRepository(database: database), record.description)
    let kind = try repository.kind(of: session.id) ?? .sdnn
    var deriver = try SessionDeriver(session, kind: kind, in: database)
    _ = try deriver.ingestLedger(in: database)
    if record.isComplete { deriver.finish() }
    return try repository.rederive(deriver.drainRows(), of: session.id, isTrial: isTrial) { rows in
      keeping.kept(session, rows)
    }
  }
}

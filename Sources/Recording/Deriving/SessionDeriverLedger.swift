import Pipeline
import Repository
import StressKit
import TachogramCore

extension SessionDeriver {
  /// Creates the deriver of a session, with the baseline of its person at its start. `kind` is the metric used for HRV.
  package init(
    _ session: SessionDescription, kind: HRVKind, in database: TachogramDatabase?,
    options: AnalysisOptions = AnalysisOptions(), output: Output = .rows,
  ) throws {
    let baseline = try StressBaselines.baseline(
      person: session.person, kind: kind, at: session.start, excludingSession: session.id, database: database)
    self.init(session, baseline: baseline, options: options, output: output)
  }

  /// Derives rows from the whole stored ledger of the session. If `store` is not `nil`, it is called with the rows of each
  /// group; else the rows are kept until they are drained.
  ///
  /// - Returns: The last entry, or `nil` for a session without entries.
  package mutating func ingestLedger(
    in database: TachogramDatabase, store: ((SessionBatch) throws -> Void)? = nil
  ) throws -> LedgerEntry? {
    var last: LedgerEntry?
    try SessionRepository(database: database).forEachEntry(of: session.id, batchSize: 4096) { entries in
      ingest(entries)
      last = entries.last
      if let store { try drainRows(store) }
    }
    return last
  }
}

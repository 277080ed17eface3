import Pipeline
import Repository
import StressKit
import TachogramCore

/// All that derives from the stored ledger of a session, derived again.
package struct Derivation: Sendable {
  /// As it stands behind the last entry.
  let pipeline: SessionPipeline
  package let batch: SessionBatch
  package let last: LedgerEntry

  /// `nil` for a session without entries. `isOver`: nothing follows, and what is pending is decided on.
  package init?(
    of session: SessionDescription, kind: HRVKind, isOver: Bool = false, in database: TachogramDatabase
  ) throws {
    var pipeline = try SessionPipeline(of: session, kind: kind, database: database)
    var batch = SessionBatch()
    var last: LedgerEntry?
    try SessionRepository(database: database).forEachEntry(of: session.id) { entries in
      for entry in entries { pipeline.ingest(entry, into: &batch) }
      last = entries.last
    }
    guard let last else { return nil }
    if isOver { pipeline.finish(into: &batch) }
    (self.pipeline, self.batch, self.last) = (pipeline, batch, last)
  }
}

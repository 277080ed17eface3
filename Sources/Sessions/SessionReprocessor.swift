import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore

/// Derives beats, HRV and stress of a stored session again from its ledger, with the code that derived them first.
package struct SessionReprocessor {
  private static let batchSize = 4096

  package let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  /// The report of a stored session, and nothing stored.
  package func report(_ record: SessionRecord, kind: HRVKind, options: AnalysisOptions) throws -> SessionReport {
    let pipeline = try SessionPipeline(of: record.description, kind: kind, database: database, options: options)
    return try derive(record, through: pipeline) { _ in }
  }

  /// Stores what derives from the ledger anew, with `kind` for HRV, and everything else as `record` has it.
  package func restore(_ record: SessionRecord, kind: HRVKind) throws {
    let repository = SessionRepository(database: database)
    try repository.begin(record.description)
    let pipeline = try SessionPipeline(of: record.description, kind: kind, database: database)
    _ = try derive(record, through: pipeline) { try repository.append($0, to: record.description.id) }
    if record.isComplete { try repository.finish(record.description.id) }
  }

  private func derive(
    _ record: SessionRecord, through pipeline: SessionPipeline, store: (SessionBatch) throws -> Void
  ) throws -> SessionReport {
    let session = record.description
    var pipeline = pipeline
    var batch = SessionBatch()
    try SessionRepository(database: database).forEachEntry(of: session.id, batchSize: Self.batchSize) { entries in
      for entry in entries { pipeline.ingest(entry, into: &batch) }
      try store(batch)
      batch.removeAll()
    }
    pipeline.finish(into: &batch)
    try store(batch)
    return pipeline.report()
  }
}

import Pipeline
import StressKit
import TachogramCore

/// Derives the beats of a session from its entries, for comparing it with others; nothing is stored.
package struct RecordedBeatDerivation {
  private let session: SessionDescription
  private var pipeline: SessionPipeline
  private var batch = SessionBatch()
  private var derived: [RecordedBeat] = []

  package init(_ session: SessionDescription) {
    self.session = session
    // Beats depend on no baseline.
    pipeline = SessionPipeline(
      session: session, baseline: .standard(kind: .sdnn, lastUpdated: session.start.date), deviceID: "")
  }

  /// Adds the next entry.
  package mutating func append(_ entry: LedgerEntry) {
    pipeline.ingest(entry, into: &batch)
    collect()
  }

  /// All beats, as if nothing followed.
  package func beats() -> [RecordedBeat] {
    var whole = self
    whole.finish()
    return whole.derived
  }

  private mutating func finish() {
    pipeline.finish(into: &batch)
    collect()
  }

  private mutating func collect() {
    for beat in batch.beats {
      if let beat = RecordedBeat(beat, of: session) { derived.append(beat) }
    }
    batch.removeAll()
  }
}

import Pipeline
import StressKit
import TachogramCore

/// Derives the beats of a session from its entries to compare it with others, without storing anything.
package struct RecordedBeatDerivation {
  private var deriver: SessionDeriver
  private var derived: [RecordedBeat] = []

  package init(_ session: SessionDescription) {
    // Beats do not depend on the baseline.
    deriver = SessionDeriver(session, baseline: .default(kind: .sdnn, lastUpdated: session.start.date))
  }

  /// Appends the next entry.
  package mutating func append(_ entry: LedgerEntry) {
    deriver.ingest(entry)
    collect()
  }

  /// Returns all beats, assuming that no further entry follows.
  package func beats() -> [RecordedBeat] {
    var whole = self
    whole.deriver.finish()
    whole.collect()
    return whole.derived
  }

  private mutating func collect() {
    let session = deriver.session
    derived += deriver.drainRows { rows in rows.beats.compactMap { RecordedBeat($0, of: session) } }
  }
}

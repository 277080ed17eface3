import StressKit

/// A piece of a session on its way to the repository: what was heard, and what was derived from it. A batch is stored
/// whole or not at all, so that nothing derived is ever stored before its ledger entries.
package struct SessionBatch: Hashable, Sendable {
  /// Links that begin in this batch.
  package var links: [StrapLink] = []
  package var entries: [LedgerEntry] = []
  package var beats: [Beat] = []
  package var gaps: [BeatGap] = []
  /// Of beats in this batch or in earlier ones.
  package var artifacts: [BeatArtifact] = []
  package var windows: [HRVWindow] = []
  package var stress: [StressMeasurement] = []

  package init() {}

  /// Whether there is nothing to store.
  package var isEmpty: Bool {
    links.isEmpty && entries.isEmpty && !hasDerived
  }

  /// Whether something in it derives from entries.
  package var hasDerived: Bool {
    !(beats.isEmpty && gaps.isEmpty && artifacts.isEmpty && windows.isEmpty && stress.isEmpty)
  }

  /// Leaves what was heard alone.
  package mutating func dropDerived() {
    (beats, gaps, artifacts, windows, stress) = ([], [], [], [], [])
  }

  /// Hands over what was heard, and keeps what derives from it.
  package mutating func drainHeard() -> SessionBatch {
    var heard = SessionBatch()
    swap(&heard.links, &links)
    swap(&heard.entries, &entries)
    return heard
  }

  /// Hands over everything.
  package mutating func drain() -> SessionBatch {
    var all = SessionBatch()
    swap(&all, &self)
    return all
  }

  /// Adds the contents of a batch that follows this one.
  package mutating func append(_ next: SessionBatch) {
    links += next.links
    entries += next.entries
    beats += next.beats
    gaps += next.gaps
    artifacts += next.artifacts
    windows += next.windows
    stress += next.stress
  }

  /// Empties the batch and keeps its storage.
  package mutating func removeAll() {
    links.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    beats.removeAll(keepingCapacity: true)
    gaps.removeAll(keepingCapacity: true)
    artifacts.removeAll(keepingCapacity: true)
    windows.removeAll(keepingCapacity: true)
    stress.removeAll(keepingCapacity: true)
  }
}

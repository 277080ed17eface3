import StressKit

/// A part of a session to be stored: ledger entries, and the rows derived from them. A batch is stored whole or not at all, so
/// that derived rows are never stored before their ledger entries.
package struct SessionBatch: Hashable, Sendable {
  /// Links that begin in this batch.
  package var links: [StrapLink] = []
  package var entries: [LedgerEntry] = []
  /// What the strap sent beside its heart rate.
  package var sensors: [SensorEntry] = []
  /// The movement of the epochs that the sensor entries complete. It outlives them, so it belongs to what was received.
  package var movement: [MovementEpoch] = []
  package var beats: [Beat] = []
  package var gaps: [BeatGap] = []
  /// The artifacts of beats in this batch or in earlier ones.
  package var artifacts: [BeatArtifact] = []
  package var windows: [HRVWindow] = []
  package var stress: [StressMeasurement] = []

  package init() {}

  /// Whether there is nothing to store.
  package var isEmpty: Bool {
    links.isEmpty && entries.isEmpty && sensors.isEmpty && movement.isEmpty && !hasDerived
  }

  /// Whether the batch contains derived rows.
  package var hasDerived: Bool {
    !(beats.isEmpty && gaps.isEmpty && artifacts.isEmpty && windows.isEmpty && stress.isEmpty)
  }

  /// Removes the derived rows and keeps what was received.
  package mutating func dropDerived() {
    (beats, gaps, artifacts, windows, stress) = ([], [], [], [], [])
  }

  /// Removes and returns what was received, and keeps the derived rows.
  package mutating func drainHeard() -> SessionBatch {
    var heard = SessionBatch()
    swap(&heard.links, &links)
    swap(&heard.entries, &entries)
    swap(&heard.sensors, &sensors)
    swap(&heard.movement, &movement)
    return heard
  }

  /// Removes and returns everything.
  package mutating func drain() -> SessionBatch {
    var all = SessionBatch()
    swap(&all, &self)
    return all
  }

  /// Appends the contents of the batch that follows this one.
  package mutating func append(_ next: SessionBatch) {
    links += next.links
    entries += next.entries
    sensors += next.sensors
    movement += next.movement
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
    sensors.removeAll(keepingCapacity: true)
    movement.removeAll(keepingCapacity: true)
    beats.removeAll(keepingCapacity: true)
    gaps.removeAll(keepingCapacity: true)
    artifacts.removeAll(keepingCapacity: true)
    windows.removeAll(keepingCapacity: true)
    stress.removeAll(keepingCapacity: true)
  }
}

/// A stored session, as lists show it.
package struct SessionRecord: Hashable, Sendable {
  package var description: SessionDescription
  /// Arrival of the last entry on the civil clock; the start while there is none.
  package var end: WallTime
  /// Whether the session was closed in order; `false` when its recording was cut off.
  package var isComplete: Bool
  /// Ledger entries.
  package var entryCount: Int64
  /// Beats derived.
  package var beatCount: Int64
  /// Gaps derived.
  package var gapCount: Int64

  package init(
    description: SessionDescription, end: WallTime, isComplete: Bool, entryCount: Int64, beatCount: Int64,
    gapCount: Int64,
  ) {
    self.description = description
    self.end = end
    self.isComplete = isComplete
    self.entryCount = entryCount
    self.beatCount = beatCount
    self.gapCount = gapCount
  }
}

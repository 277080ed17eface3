/// A stored session with its counts, for lists.
package struct SessionRecord: Hashable, Sendable {
  package var description: SessionDescription
  /// The note of a person, or `nil` if there is none.
  package var note: String?
  /// The time of arrival of the last entry on the civil clock, or the start if there are no entries.
  package var end: WallTime
  /// Whether the session was closed properly; `false` if its recording was interrupted.
  package var isComplete: Bool
  /// The number of ledger entries.
  package var entryCount: Int64
  /// The number of derived beats.
  package var beatCount: Int64
  /// The number of derived gaps.
  package var gapCount: Int64

  package init(
    description: SessionDescription, note: String? = nil, end: WallTime, isComplete: Bool, entryCount: Int64,
    beatCount: Int64,
    gapCount: Int64,
  ) {
    self.description = description
    self.note = note
    self.end = end
    self.isComplete = isComplete
    self.entryCount = entryCount
    self.beatCount = beatCount
    self.gapCount = gapCount
  }
}

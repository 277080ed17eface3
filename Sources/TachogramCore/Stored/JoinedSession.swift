/// A stored session to which the entries of another one are appended.
package struct JoinedSession: Sendable {
  /// The identifier of the session whose entries are appended.
  package let other: String
  /// The identifier of the result, if it has to be a new session.
  package let newID: String
  /// The duration that was added to the times of its entries.
  package let shift: Duration
  /// The appended entries with their links, and the derived rows of all entries.
  package let batch: SessionBatch
  /// The rows that are not derived again.
  package let kept: RederivedSession.Kept

  package init(other: String, newID: String, shift: Duration, batch: SessionBatch, kept: RederivedSession.Kept) {
    self.other = other
    self.newID = newID
    self.shift = shift
    self.batch = batch
    self.kept = kept
  }
}

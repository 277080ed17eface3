/// A stored session that becomes two, with the rows derived from the entries of each.
package struct DividedSession: Sendable {
  /// The number of entries that stay in the session.
  package let firstCount: Int64
  /// The number of the first sensor entry that does not stay.
  package let firstSensorCount: Int64
  /// The derived rows of the entries that stay.
  package let firstBatch: SessionBatch
  package let second: SessionDescription
  /// The entries of the new session, with its links and derived rows.
  package let secondBatch: SessionBatch
  /// The rows that are not derived again.
  package let kept: RederivedSession.Kept

  package init(
    firstCount: Int64, firstSensorCount: Int64 = 0, firstBatch: SessionBatch, second: SessionDescription,
    secondBatch: SessionBatch,
    kept: RederivedSession.Kept,
  ) {
    self.firstCount = firstCount
    self.firstSensorCount = firstSensorCount
    self.firstBatch = firstBatch
    self.second = second
    self.secondBatch = secondBatch
    self.kept = kept
  }
}

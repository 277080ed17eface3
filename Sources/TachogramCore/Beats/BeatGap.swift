/// A stretch of the timeline in which beats occurred that were never heard. Nothing is computed across it.
package struct BeatGap: Hashable, Sendable {
  /// Why there is a gap.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The link was down.
    case linkDown
    /// The link was up, but notifications, or their intervals, did not arrive.
    case lost
    /// A notification claimed more time than had passed, as a stream that is heard twice does; its intervals were left out.
    case overlap
  }

  /// Position among the gaps of the session, from 0.
  package var sequence: Int64
  /// The last beat before the gap.
  package var start: MonotonicTime
  /// Where the first RR interval after the gap begins.
  package var end: MonotonicTime
  package var reason: Reason
  /// The ledger entry that ended it.
  package var ledgerSequence: Int64

  package init(
    sequence: Int64, start: MonotonicTime, end: MonotonicTime, reason: Reason, ledgerSequence: Int64,
  ) {
    self.sequence = sequence
    self.start = start
    self.end = end
    self.reason = reason
    self.ledgerSequence = ledgerSequence
  }

  /// Its length in microseconds, never negative.
  package var microseconds: Int64 { max(0, end.microseconds(since: start)) }
}

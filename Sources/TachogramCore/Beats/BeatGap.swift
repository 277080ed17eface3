/// A stretch of the timeline in which beats occurred that were never heard. Nothing is computed across it.
public struct BeatGap: Hashable, Sendable {
  /// Why there is a gap.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The link was down.
    case linkDown
    /// The link was up, but notifications, or their intervals, did not arrive.
    case lost
    /// A notification claimed more time than had passed, as a stream that is heard twice does; its intervals were
    /// left out.
    case overlap
  }

  /// Position among the gaps of the session, from 0.
  public var sequence: Int64
  /// The last beat before the gap.
  public var start: MonotonicTime
  /// Where the first RR interval after the gap begins.
  public var end: MonotonicTime
  /// Why it is there.
  public var reason: Reason
  /// The ledger entry that ended it.
  public var ledgerSequence: Int64

  /// A gap of these parts.
  public init(
    sequence: Int64, start: MonotonicTime, end: MonotonicTime, reason: Reason, ledgerSequence: Int64,
  ) {
    self.sequence = sequence
    self.start = start
    self.end = end
    self.reason = reason
    self.ledgerSequence = ledgerSequence
  }

  /// Its length in microseconds, never negative.
  public var microseconds: Int64 { max(0, end.microseconds(since: start)) }

  /// Its length in seconds.
  package var seconds: Double { Double(microseconds) / 1e6 }
}

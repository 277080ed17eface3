/// A stretch of the timeline whose beats were not received. Nothing is computed across it.
public struct BeatGap: Hashable, Sendable {
  /// Why there is a gap.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The link was down.
    case linkDown
    /// The link was up, but notifications, or their intervals, did not arrive.
    case lost
    /// The intervals of a notification summed to more time than had passed, as happens when a stream is received twice. Its
    /// intervals were left out.
    case overlap
  }

  /// The position among the gaps of the session, counted from 0.
  public var sequence: Int64
  /// The time of the last beat before the gap.
  public var start: MonotonicTime
  /// The start of the first RR interval after the gap.
  public var end: MonotonicTime
  /// The reason for the gap.
  public var reason: Reason
  /// The sequence number of the ledger entry that ended the gap.
  public var ledgerSequence: Int64

  /// Creates a gap from its parts.
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

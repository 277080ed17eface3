/// A heart beat on the monotonic axis, with the RR interval that it ends.
public struct Beat: Hashable, Sendable {
  /// Position within the session, from 0, without holes.
  public var sequence: Int64
  /// When the beat occurred: the end of its RR interval.
  public var time: MonotonicTime
  /// The interval that it ends.
  public var rr: RRInterval
  /// The ledger entry that brought it.
  public var ledgerSequence: Int64
  /// What makes it doubtful.
  public var marks: BeatMarks

  /// A beat of these parts.
  public init(sequence: Int64, time: MonotonicTime, rr: RRInterval, ledgerSequence: Int64, marks: BeatMarks = []) {
    self.sequence = sequence
    self.time = time
    self.rr = rr
    self.ledgerSequence = ledgerSequence
    self.marks = marks
  }
}

/// A heart beat on the monotonic axis, with the RR interval that it ends.
public struct Beat: Hashable, Sendable {
  /// The position within the session, counted from 0 without holes.
  public var sequence: Int64
  /// When the beat occurred: the end of its RR interval.
  public var time: MonotonicTime
  /// The interval that it ends.
  public var rr: RRInterval
  /// The sequence number of the ledger entry that contains the beat.
  public var ledgerSequence: Int64
  /// The reasons why the beat is doubtful.
  public var marks: BeatMarks

  /// Creates a beat from its parts.
  public init(sequence: Int64, time: MonotonicTime, rr: RRInterval, ledgerSequence: Int64, marks: BeatMarks = []) {
    self.sequence = sequence
    self.time = time
    self.rr = rr
    self.ledgerSequence = ledgerSequence
    self.marks = marks
  }

  /// The start of the interval that ends with the beat.
  package var start: MonotonicTime { time.advanced(byMicroseconds: -(Int64(rr.ticks) * 15_625 / 16)) }
}

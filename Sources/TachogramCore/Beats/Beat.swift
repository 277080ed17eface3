/// A heart beat on the monotonic axis, with the RR interval that it ends.
package struct Beat: Hashable, Sendable {
  /// Position within the session, from 0, without holes.
  package var sequence: Int64
  /// When the beat occurred: the end of its RR interval.
  package var time: MonotonicTime
  package var rr: RRInterval
  /// The ledger entry that brought it.
  package var ledgerSequence: Int64
  package var marks: BeatMarks

  package init(sequence: Int64, time: MonotonicTime, rr: RRInterval, ledgerSequence: Int64, marks: BeatMarks = []) {
    self.sequence = sequence
    self.time = time
    self.rr = rr
    self.ledgerSequence = ledgerSequence
    self.marks = marks
  }
}

import TachogramCore

/// A beat as represented in every format: its time and the interval that it ends.
package struct RecordedBeat: Hashable, Sendable {
  /// The time in microseconds since 1970-01-01T00:00:00Z, by the clock at the start of the recording.
  package let microseconds: Int64
  /// The interval in 1/1024 s.
  package let ticks: UInt16

  package init(microseconds: Int64, ticks: UInt16) {
    self.microseconds = microseconds
    self.ticks = ticks
  }

  /// Creates a beat of a session, or returns `nil` for an interval of zero length, which not every format can represent.
  package init?(_ beat: Beat, of session: SessionDescription) {
    guard beat.rr.ticks > 0 else { return nil }
    self.init(microseconds: session.wall(beat.time).microseconds, ticks: beat.rr.ticks)
  }

  /// The length of the interval, in microseconds.
  var length: Int64 { Int64(ticks) * 15_625 / 16 }

  /// Whether no whole number of milliseconds is rounded to these ticks. This applies to 24 of 1024 values, none of which occurs
  /// in a series that was rounded to milliseconds.
  package var isFinerThanMilliseconds: Bool {
    let milliseconds = (Double(ticks) / 1.024).rounded()
    return UInt16((milliseconds * 1.024).rounded()) != ticks
  }
}

import TachogramCore

/// A beat as every format keeps it: when it was, and the interval that it ends.
package struct RecordedBeat: Hashable, Sendable {
  /// In microseconds since 1970-01-01T00:00:00Z, by the clock at the start of the recording.
  package let microseconds: Int64
  /// In 1/1024 s.
  package let ticks: UInt16

  package init(microseconds: Int64, ticks: UInt16) {
    self.microseconds = microseconds
    self.ticks = ticks
  }

  /// A beat of a session. Intervals of no length are no beats that every format can hold; `nil` for these.
  package init?(_ beat: Beat, of session: SessionDescription) {
    guard beat.rr.ticks > 0 else { return nil }
    self.init(microseconds: session.wall(beat.time).microseconds, ticks: beat.rr.ticks)
  }

  /// Of the interval, in microseconds.
  var length: Int64 { Int64(ticks) * 15_625 / 16 }

  /// Whether no whole number of milliseconds is rounded to these ticks: 24 of 1024 are such, and none occurs in a series
  /// that was rounded to milliseconds.
  package var isFinerThanMilliseconds: Bool {
    let milliseconds = (Double(ticks) / 1.024).rounded()
    return UInt16((milliseconds * 1.024).rounded()) != ticks
  }
}

import TachogramCore

/// A stretch of time whose rhythm is no measure of autonomic activity: what ends in it says nothing in any window either.
package struct JudgedStretch: Hashable, Sendable {
  package var span: Range<MonotonicTime>
  package var rhythm: Rhythm

  package init(span: Range<MonotonicTime>, rhythm: Rhythm) {
    self.span = span
    self.rhythm = rhythm
  }
}

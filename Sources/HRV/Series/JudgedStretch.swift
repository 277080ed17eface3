import TachogramCore

/// A stretch of time whose variability is not a measure of autonomic activity. Its rhythm also applies to the intervals of a
/// window that end in it.
package struct JudgedStretch: Hashable, Sendable {
  package var span: Range<MonotonicTime>
  package var rhythm: Rhythm

  package init(span: Range<MonotonicTime>, rhythm: Rhythm) {
    self.span = span
    self.rhythm = rhythm
  }
}

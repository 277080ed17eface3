/// An instant on the civil clock, in microseconds since 1970-01-01T00:00:00Z. It may step; nothing is derived from it.
package struct WallTime: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  package static func < (left: WallTime, right: WallTime) -> Bool {
    left.microseconds < right.microseconds
  }

  /// This instant moved by `microseconds`. Saturates.
  package func advanced(byMicroseconds delta: Int64) -> WallTime {
    let (sum, overflow) = microseconds.addingReportingOverflow(delta)
    return WallTime(microseconds: overflow ? (delta < 0 ? .min : .max) : sum)
  }
}

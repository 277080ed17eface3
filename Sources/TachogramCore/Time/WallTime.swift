/// An instant on the civil clock, in microseconds since 1970-01-01T00:00:00Z. It may step; nothing is derived from it.
public struct WallTime: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public var microseconds: Int64

  /// The instant so many microseconds after 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Whether `left` is earlier.
  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.microseconds < right.microseconds
  }

  /// This instant moved by `microseconds`. Saturates.
  public func advanced(byMicroseconds delta: Int64) -> WallTime {
    let (sum, overflow) = microseconds.addingReportingOverflow(delta)
    return WallTime(microseconds: overflow ? (delta < 0 ? .min : .max) : sum)
  }
}

import FoundationEssentials

/// An instant on the civil clock, in microseconds since 1970-01-01T00:00:00Z. The clock may step, so that nothing is derived
/// from it.
public struct WallTime: Hashable, Comparable, Sendable {
  /// The number of microseconds since 1970-01-01T00:00:00Z.
  public var microseconds: Int64

  /// Creates an instant from the number of microseconds since 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Whether `left` is earlier.
  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The time from `earlier` to this instant; negative when `earlier` is later.
  package func duration(since earlier: WallTime) -> Duration {
    .microseconds(microseconds(since: earlier))
  }

  /// This instant moved by `duration`, in whole microseconds. Saturates.
  package func advanced(by duration: Duration) -> WallTime {
    advanced(byMicroseconds: duration.wholeMicroseconds)
  }

  /// This instant moved by `microseconds`. Saturates.
  public func advanced(byMicroseconds delta: Int64) -> WallTime {
    let (sum, overflow) = microseconds.addingReportingOverflow(delta)
    return WallTime(microseconds: overflow ? (delta < 0 ? .min : .max) : sum)
  }

  /// The time from `earlier` to this instant, in microseconds; negative when `earlier` is later. Saturates.
  public func microseconds(since earlier: WallTime) -> Int64 {
    let (difference, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
    return overflow ? (microseconds < earlier.microseconds ? .min : .max) : difference
  }

  /// Creates the instant nearest to a date, rounded to a microsecond.
  package init(_ date: Date) {
    self.init(microseconds: Int64((date.timeIntervalSince1970 * 1e6).rounded()))
  }

  /// The instant as a `Date`.
  package var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1e6) }
}

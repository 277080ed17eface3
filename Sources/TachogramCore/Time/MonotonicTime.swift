/// An instant on the monotonic axis, in microseconds. The axis is CLOCK_BOOTTIME in a live recording, and the clock of the
/// capture in a replay.
///
/// A microsecond is the resolution of btsnoop, the format in which ledgers are exported. Every source rounds to it on arrival,
/// so that an exported session replays to the same instants.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  /// The number of microseconds since the origin of the axis (boot, or the origin of the capture's clock).
  public var microseconds: Int64

  /// Creates an instant from the number of microseconds since the origin of the axis.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Whether `left` is earlier.
  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The time from `earlier` to this instant, in microseconds; negative when `earlier` is later. Saturates.
  public func microseconds(since earlier: MonotonicTime) -> Int64 {
    let (difference, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
    return overflow ? (microseconds < earlier.microseconds ? .min : .max) : difference
  }

  /// The time from `earlier` to this instant; negative when `earlier` is later.
  package func duration(since earlier: MonotonicTime) -> Duration {
    .microseconds(microseconds(since: earlier))
  }

  /// The time from `earlier` to this instant, in seconds; negative when `earlier` is later.
  package func seconds(since earlier: MonotonicTime) -> Double {
    Double(microseconds(since: earlier)) / 1e6
  }

  /// This instant moved by `duration`, in whole microseconds. Saturates.
  package func advanced(by duration: Duration) -> MonotonicTime {
    advanced(byMicroseconds: duration.wholeMicroseconds)
  }

  /// This instant moved by `microseconds`. Saturates.
  public func advanced(byMicroseconds delta: Int64) -> MonotonicTime {
    let (sum, overflow) = microseconds.addingReportingOverflow(delta)
    return MonotonicTime(microseconds: overflow ? (delta < 0 ? .min : .max) : sum)
  }

  /// This instant moved by `milliseconds`, to the nearest microsecond.
  package func advanced(byMilliseconds milliseconds: Double) -> MonotonicTime {
    advanced(byMicroseconds: Int64((milliseconds * 1000).rounded()))
  }
}

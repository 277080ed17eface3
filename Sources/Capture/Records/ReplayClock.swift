import TachogramCore

/// Makes a monotonic axis of a capture's timestamps, which are civil time and may step.
///
/// A step forward cannot be distinguished from silence and stays. A step backward by a second or more moves the axis so that
/// time goes on from the last instant; a smaller one, as records out of order make, holds the last instant.
struct ReplayClock {
  /// One instant on both clocks.
  struct Reading {
    var monotonic = MonotonicTime(microseconds: 0)
    var wall = WallTime(microseconds: 0)
    /// Whether it is that of the record itself; where the record has no time, it is that of the last one that has.
    var isKnown = false
  }

  private static let step: Int64 = 1_000_000

  private var last: Int64?
  private var reading = Reading()
  private var correction: Int64 = 0
  /// Steps backward by a second or more.
  private(set) var steps = 0

  /// Both clocks at a record captured at `time`, in microseconds since 1970; `nil` for a record without a time.
  mutating func advance(to time: Int64?) -> Reading {
    guard let time else {
      reading.isKnown = false
      return reading
    }
    var corrected = time &+ correction
    if let last, corrected < last {
      if last &- corrected >= Self.step {
        correction &+= last &- corrected
        steps += 1
      }
      corrected = last
    }
    last = corrected
    reading = Reading(
      monotonic: MonotonicTime(microseconds: corrected), wall: WallTime(microseconds: time), isKnown: true)
    return reading
  }
}

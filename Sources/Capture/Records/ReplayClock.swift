import TachogramCore

/// Converts the timestamps of a capture, which are civil time and may step, to monotonic time.
///
/// A step forward cannot be distinguished from silence and is kept. After a step backward by a second or more, monotonic time
/// continues from the last instant. After a smaller one, as between records out of order, it stays at the last instant.
struct ReplayClock {
  /// One instant on both clocks.
  struct Reading {
    var monotonic = MonotonicTime(microseconds: 0)
    var wall = WallTime(microseconds: 0)
    /// Whether this is the time of the record itself. If the record has no time, the reading is that of the last record with
    /// one.
    var isKnown = false
  }

  private static let step: Int64 = 1_000_000

  private var last: Int64?
  private var reading = Reading()
  private var correction: Int64 = 0
  /// Steps backward by a second or more.
  private(set) var steps = 0

  /// Advances to a record captured at `time`, in microseconds since 1970, or `nil` for a record without a time. Returns both
  /// clocks.
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

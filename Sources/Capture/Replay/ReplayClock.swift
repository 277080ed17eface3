import TachogramCore

/// Makes a monotonic axis of a capture's timestamps, which are civil time and may step.
///
/// A step forward cannot be told from silence and stays. A step backward by a second or more moves the axis so that
/// time goes on from the last instant; a smaller one, as records out of order make, holds the last instant.
struct ReplayClock {
  /// One instant on both clocks.
  struct Reading {
    var monotonic = MonotonicTime(microseconds: 0)
    var wall = WallTime(microseconds: 0)
  }

  private static let step: Int64 = 1_000_000

  private var last: Int64?
  private var correction: Int64 = 0
  /// Steps backward by a second or more.
  private(set) var steps = 0

  /// Both clocks at a record captured at `time`, in microseconds since 1970.
  mutating func advance(to time: Int64) -> Reading {
    var corrected = time &+ correction
    if let last, corrected < last {
      if last &- corrected >= Self.step {
        correction &+= last &- corrected
        steps += 1
      }
      corrected = last
    }
    last = corrected
    return Reading(monotonic: MonotonicTime(microseconds: corrected), wall: WallTime(microseconds: time))
  }
}

import Glibc
import TachogramCore

/// A time source that runs `factor` times as fast as real time, or slower by a divisor, from a chosen instant: minutes pass in
/// seconds, or seconds in minutes.
package struct ScaledTimeSource: TimeSourceProtocol {
  private let factor: Int64
  private let divisor: Int64
  private let start: Int64
  private let epoch: Int64

  /// `epoch`: both clocks at the start, in microseconds.
  package init(factor: Int, divisor: Int = 1, epoch: Int64 = 1_700_000_000_000_000) {
    self.factor = Int64(max(1, factor))
    self.divisor = Int64(max(1, divisor))
    self.epoch = epoch
    start = Self.real()
  }

  package func now() -> (monotonic: MonotonicTime, wall: WallTime) {
    let time = epoch + (Self.real() - start) * factor / divisor / 1000
    return (MonotonicTime(microseconds: time), WallTime(microseconds: time))
  }

  package func sleep(until time: MonotonicTime) async throws {
    while true {
      let left = time.microseconds(since: now().monotonic)
      if left <= 0 { return try Task.checkCancellation() }
      // Sleeps in steps of at most a day, so that the nanoseconds do not overflow.
      try await Task.sleep(for: .nanoseconds(min(left, 86_400_000_000) * 1000 / factor * divisor + 1))
    }
  }

  /// Returns the nanoseconds since an arbitrary instant.
  private static func real() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

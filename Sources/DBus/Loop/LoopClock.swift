import Glibc

/// The clocks of the reactor, in nanoseconds.
enum LoopClock {
  /// The clock of deadlines. It stops during system sleep, so that sleep does not make a call time out.
  static func now() -> Int64 { read(CLOCK_MONOTONIC) }

  /// The clock of arrivals. It continues during system sleep.
  static func boot() -> Int64 { read(CLOCK_BOOTTIME) }

  /// Returns the time `duration` after `now()`, saturating.
  static func deadline(after duration: Duration) -> Int64 {
    let parts = duration.components
    let (whole, isTooLong) = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !isTooLong else { return parts.seconds < 0 ? now() : .max }
    let (sum, isOver) = now().addingReportingOverflow(whole)
    guard !isOver else { return whole < 0 ? now() : .max }
    let (end, isOverEnd) = sum.addingReportingOverflow(parts.attoseconds / 1_000_000_000)
    return isOverEnd ? .max : end
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

import TachogramCore

/// The clocks of this machine, passing `factor` times as fast from now on: for captures that are played faster or slower than
/// they were recorded, with the same results.
package struct PacedTimeSource: TimeSourceProtocol {
  private let clock = SystemTimeSource()
  private let factor: Double
  private let start: (monotonic: MonotonicTime, wall: WallTime)

  /// `factor` must be above 0.
  package init(factor: Double) {
    self.factor = factor
    start = clock.now()
  }

  package func now() -> (monotonic: MonotonicTime, wall: WallTime) {
    let passed = Double(clock.now().monotonic.microseconds(since: start.monotonic)) * factor
    let offset = Int64(exactly: passed.rounded()) ?? .max / 4
    return (start.monotonic.advanced(byMicroseconds: offset), start.wall.advanced(byMicroseconds: offset))
  }

  package func sleep(until time: MonotonicTime) async throws {
    let offset = Double(time.microseconds(since: start.monotonic)) / factor
    // More than a year is treated as unlimited.
    try await clock.sleep(
      until: start.monotonic.advanced(byMicroseconds: Int64(min(max(0, offset.rounded(.up)), 4e13))))
  }
}

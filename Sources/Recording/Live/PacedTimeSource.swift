import TachogramCore

/// The clocks of this machine, from now on passing `factor` times as fast: for captures that are played faster, or
/// slower, than they were taken, so that what is made of them is the same.
package struct PacedTimeSource: TimeSourceProtocol {
  private let clock = SystemTimeSource()
  private let factor: Double
  private let start: (monotonic: MonotonicTime, wall: WallTime)

  /// `factor` is above 0.
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
    // A year and more is for ever.
    try await clock.sleep(
      until: start.monotonic.advanced(byMicroseconds: Int64(min(max(0, offset.rounded(.up)), 4e13))))
  }
}

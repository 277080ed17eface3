/// The times of the samples of one stream. A frame has the time of its last sample alone; the others are spread evenly.
///
/// As in Polar's SDK, the samples of a frame divide the time since the last sample of the frame before it, which follows the
/// true rate of the strap. The nominal rate is used for the first frame, and, unlike there, after a lost frame, a pause, or a
/// change of the strap's clock: when the period would differ from the nominal one by more than half of it.
package struct PolarSampleClock: Sendable {
  private static let second: Double = 1_000_000_000
  private static let tolerance = 0.5
  /// A time that all integers of 64 bits can have.
  private static let longest = 0x1p63

  /// The nominal period in nanoseconds.
  private let period: Double
  private var previous: UInt64?

  /// Creates the clock of a stream of `rate` Hz, or returns `nil` for 0. `previous` is the time of the last sample that came
  /// before, in ns since 2000-01-01.
  package init?(rate: UInt16, previous: UInt64? = nil) {
    guard rate > 0 else { return nil }
    period = Self.second / Double(rate)
    self.previous = previous
  }

  /// Whether the next frame, of `count` samples of which the last is at `last`, follows the frame before it without a missing
  /// sample.
  package func isContinued(count: Int, last: UInt64) -> Bool { measuredPeriod(count: count, last: last) != nil }

  /// Returns the period of the samples since the frame before, or `nil` if that frame is not known or is not the one before.
  private func measuredPeriod(count: Int, last: UInt64) -> Double? {
    guard count > 0, let previous, previous < last else { return nil }
    let measured = Double(last - previous) / Double(count)
    return abs(measured - period) <= Self.tolerance * period ? measured : nil
  }

  /// Returns the times of the `count` samples of the next frame, in ns since 2000-01-01, the last of them `last`. Times before
  /// 2000 are 0. A frame without samples changes nothing.
  package mutating func times(count: Int, last: UInt64) -> [UInt64] {
    guard count > 0 else { return [] }
    let step = measuredPeriod(count: count, last: last) ?? period
    previous = last
    return (0..<count).map { index in
      let back = UInt64(min((Double(count - 1 - index) * step).rounded(), Self.longest))
      return back < last ? last - back : 0
    }
  }
}

import TachogramCore

/// The axis of a night: whole ticks of 1/1024 s from its start, the unit in which straps send intervals. Times and differences
/// are exact, so that none of them depends on rounding.
package enum SleepAxis {
  /// The number of ticks in a second.
  package static let ticksPerSecond = RRInterval.ticksPerSecond
  /// The length of an epoch in seconds (AASM).
  package static let epochSeconds: Int64 = 30
  /// The length of an epoch in microseconds.
  package static let microsecondsPerEpoch = epochSeconds * 1_000_000
  /// The length of an epoch in ticks.
  package static let ticksPerEpoch = epochSeconds * ticksPerSecond
  /// The longest night, a week, in epochs. Longer ones are refused.
  package static let maximumEpochCount = 7 * 24 * 120
  /// The latest time of a value, in ticks: an hour after the end of the longest night.
  package static let latest = (Int64(maximumEpochCount) + 120) * ticksPerEpoch

  /// Returns a number of microseconds in ticks, to the nearest; half a tick is rounded up. Times beyond the axis stay beyond it.
  package static func ticks(microseconds: Int64) -> Int64 {
    let bound: Int64 = 1 << 50
    let clamped = min(max(microseconds, -bound), bound)
    // A tick is 15 625/16 µs.
    let (whole, rest) = (2 * 16 * clamped + 15_625).quotientAndRemainder(dividingBy: 2 * 15_625)
    return rest < 0 ? whole - 1 : whole
  }
}

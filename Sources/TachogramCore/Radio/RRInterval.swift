/// The time between two R waves in the strap's own unit, ticks of 1/1024 s, as the Heart Rate Service carries it.
public struct RRInterval: Hashable, Sendable {
  /// The number of ticks in a second, the unit of the Heart Rate Service.
  public static let ticksPerSecond: Int64 = 1024

  /// Ticks of 1/1024 s: 0 … 65 535, that is 0 … 63.999 s.
  public let ticks: UInt16

  /// Creates an interval with a number of ticks.
  @inlinable
  public init(ticks: UInt16) {
    self.ticks = ticks
  }

  /// Creates the interval nearest to a number of milliseconds that is not NaN; the longest one for more than 63.999 s.
  package init(milliseconds: Double) {
    ticks = UInt16(min(65_535, max(0, (milliseconds * 1.024).rounded())))
  }

  /// The interval in milliseconds; exact, because a tick is 125/128 ms.
  public var milliseconds: Double { Double(ticks) * 1000 / 1024 }
}

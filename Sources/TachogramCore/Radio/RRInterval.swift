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

  /// The interval in milliseconds; exact, because a tick is 125/128 ms.
  public var milliseconds: Double { Double(ticks) * 1000 / 1024 }
}

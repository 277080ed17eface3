/// The time between two R waves in the strap's own unit, ticks of 1/1024 s, as the Heart Rate Service carries it.
package struct RRInterval: Hashable, Sendable {
  /// The unit of the Heart Rate Service: this many ticks are a second.
  package static let ticksPerSecond: Int64 = 1024

  /// Ticks of 1/1024 s: 0 … 65 535, that is 0 … 63.999 s.
  package let ticks: UInt16

  package init(ticks: UInt16) {
    self.ticks = ticks
  }

  /// The interval in milliseconds; exact, because a tick is 125/128 ms.
  package var milliseconds: Double { Double(ticks) * 1000 / 1024 }
}

import TachogramCore

/// A strap on the air: what outlives the daemon.
package struct FakeAir: Sendable {
  package var strap: FakeStrap
  /// Heard by adapters, and answering them.
  package var isInRange = true
  /// Connected, but it sends no notifications.
  package var isSilent = false
  /// Whether the daemon has to wait with resolving until it is let.
  package var holdsServices = false
  /// The daemon's cache lacks the heart-rate service.
  package var isCachePoisoned = false
  /// Whether links come up without a signal of `Connected`.
  package var connectsUnsaid = false
  /// Whether the strap knows the bond with us.
  package var isBonded = false
  /// How many values are lost after the next `AcquireNotify`, and how many are still to be lost now.
  package var firstLost = 0
  package var stillLost = 0
  /// Heart rates that it has broadcast, of which its advertisements carry the lowest bits.
  package var broadcasts = 0
  /// Advertisements that it has sent of its own accord.
  private var advertisements = 0

  package init(_ strap: FakeStrap) {
    self.strap = strap
  }

  /// What bodies and walls do to the level of one advertisement after another, in dB: now and then more than what the
  /// daemon takes for noise.
  private static let fading: [Int16] = [0, -2, 3, -9, 1, -4, 4, -1, -6]

  /// Sends an advertisement; the level at which it is heard, in dBm.
  mutating func advertise() -> Int16 {
    defer { advertisements += 1 }
    let level = Int(strap.signal) + Int(Self.fading[advertisements % Self.fading.count])
    return Int16(max(-127, min(20, level)))
  }

  /// The services as the daemon sees them.
  var services: [FakeService] {
    isCachePoisoned ? strap.services.filter { $0.uuid != 0x180D } : strap.services
  }
}

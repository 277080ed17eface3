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
  /// Heart rates that it has broadcast, of which its advertisements carry the lowest bits.
  package var broadcasts = 0
  package var stillLost = 0

  package init(_ strap: FakeStrap) {
    self.strap = strap
  }

  /// The services as the daemon sees them.
  var services: [FakeService] {
    isCachePoisoned ? strap.services.filter { $0.uuid != 0x180D } : strap.services
  }
}

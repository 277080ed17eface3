/// Why a link is where it is.
package enum LinkReason: String, Hashable, Sendable, CaseIterable {
  /// The system bus cannot be reached.
  case noBus
  /// No Bluetooth daemon owns its name on the bus.
  case noDaemon
  case adapterMissing
  case adapterOff
  /// Blocked by rfkill.
  case adapterBlocked
  /// The strap, or the air between, ended the link.
  case linkLost
  /// A step did not end in its time.
  case timedOut
  /// A fault that goes away by itself: another operation under way, an attempt cut off by the controller.
  case busy
  /// No connection slot is left on the adapter.
  case noSlot
  /// The strap does not know our bond any more, or refuses us.
  case notAuthorised
  /// The strap offers no Heart Rate Service, or the daemon's cache of it is wrong.
  case noHeartRateService
  /// Connected, and no notification came.
  case silence
  /// The daemon refuses or fails in another way.
  case refused
}

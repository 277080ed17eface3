/// The reason for the phase of a link.
package enum LinkReason: String, Hashable, Sendable, CaseIterable {
  /// The system bus cannot be reached.
  case noBus
  /// No Bluetooth daemon owns its name on the bus.
  case noDaemon
  case adapterMissing
  case adapterOff
  /// Blocked by rfkill.
  case adapterBlocked
  /// The strap ended the link, or the radio connection was lost.
  case linkLost
  /// A step did not complete in time.
  case timedOut
  /// A transient failure: another operation is in progress, or the controller aborted the attempt.
  case busy
  /// The adapter has no free connection slot.
  case noSlot
  /// The strap no longer has the bond, or rejects the connection.
  case notAuthorised
  /// The strap has no Heart Rate Service, or the daemon's cache of its services is wrong.
  case noHeartRateService
  /// Connected, but no notification arrived.
  case silence
  /// The daemon rejected the request or failed in another way.
  case refused
}

/// A step that is requested by the machine and whose end is reported to it.
package enum LinkStep: Hashable, Sendable {
  case connect
  case subscribe(NotificationTransport)
  /// Bonding.
  case pair
  /// Makes the daemon forget the strap, with its bond and its cache.
  case forget
  /// Ends the link.
  case disconnect
}

/// A step that the machine asks for and whose end it wants to know.
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

/// The transports by which the daemon delivers notifications.
package enum NotificationTransport: String, Hashable, Sendable, CaseIterable {
  /// A private socket. It is cheap and delivers no duplicates. Values before the strap's reply to the subscription are lost,
  /// and no other client can subscribe at the same time.
  case acquire
  /// Signals on the bus.
  case signals

  /// The other transport.
  package var other: NotificationTransport { self == .acquire ? .signals : .acquire }
}

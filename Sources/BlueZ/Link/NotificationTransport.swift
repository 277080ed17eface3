/// The two ways in which the daemon hands notifications over.
package enum NotificationTransport: String, Hashable, Sendable, CaseIterable {
  /// A socket of our own: cheap, and nothing comes twice. Values before the strap's answer to the subscription are
  /// lost, and nobody else can listen at the same time.
  case acquire
  /// Signals on the bus.
  case signals

  /// The other one.
  package var other: NotificationTransport { self == .acquire ? .signals : .acquire }
}

import TachogramCore

/// The time limits of a link.
package struct LinkTiming: Hashable, Sendable {
  /// The limit for connecting. The daemon's own limit is longer than is useful.
  package var connect: Duration = .seconds(12)
  /// The limit for discovering the services after connecting, which takes long the first time.
  package var resolve: Duration = .seconds(15)
  /// The limit for the daemon's reply to enabling notifications.
  package var subscribe: Duration = .seconds(4)
  /// The limit for bonding, during which a person may have to type a passkey.
  package var pair: Duration = .seconds(60)
  /// Silence from the start of a subscription after which it is renewed: the first packets may have been lost with the current
  /// transport.
  package var firstNotification: Duration = .seconds(3)
  /// Silence after which a reading is stale.
  package var stale: Duration = .milliseconds(4500)
  /// Silence after which notifications are switched off and on again.
  package var resubscribe: Duration = .seconds(8)
  /// Silence after which the strap is reconnected.
  package var reconnect: Duration = .seconds(16)
  /// The time with notifications after which the link counts as recovered and its faults are cleared.
  package var recovered: Duration = .seconds(10)

  package init() {}
}

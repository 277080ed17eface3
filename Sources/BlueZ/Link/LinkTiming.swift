import TachogramCore

/// How long each step of a link may take.
package struct LinkTiming: Hashable, Sendable {
  /// From asking for a connection to having it. The daemon itself gives up later than is useful.
  package var connect: Duration = .seconds(12)
  /// From the connection to knowing what the strap offers; long on a first visit.
  package var resolve: Duration = .seconds(15)
  /// From switching notifications on to the daemon's answer.
  package var subscribe: Duration = .seconds(4)
  /// Bonding, with a person who may have to type a passkey.
  package var pair: Duration = .seconds(60)
  /// Silence from the very start of a subscription: its first packets may have been lost with the way that was taken.
  package var firstNotification: Duration = .seconds(3)
  /// Silence after which a reading is stale.
  package var stale: Duration = .milliseconds(4500)
  /// Silence after which notifications are switched off and on again.
  package var resubscribe: Duration = .seconds(8)
  /// Silence after which the link is made anew.
  package var reconnect: Duration = .seconds(16)
  /// How long notifications must have come for the link to count as well again, and its faults as past.
  package var recovered: Duration = .seconds(10)

  package init() {}
}

import TachogramCore

/// How long each step of a link may take, in microseconds.
package struct LinkTiming: Hashable, Sendable {
  /// From asking for a connection to having it. The daemon itself gives up later than is useful.
  package var connect: Int64 = 12_000_000
  /// From the connection to knowing what the strap offers; long on a first visit.
  package var resolve: Int64 = 15_000_000
  /// From switching notifications on to the daemon's answer.
  package var subscribe: Int64 = 4_000_000
  /// Bonding, with a person who may have to type a passkey.
  package var pair: Int64 = 60_000_000
  /// Silence from the very start of a subscription: its first packets may have been lost with the way that was taken.
  package var firstNotification: Int64 = 3_000_000
  /// Silence after which a reading is stale.
  package var stale: Int64 = 4_500_000
  /// Silence after which notifications are switched off and on again.
  package var resubscribe: Int64 = 8_000_000
  /// Silence after which the link is made anew.
  package var reconnect: Int64 = 16_000_000
  /// How long notifications must have come for the link to count as well again, and its faults as past.
  package var recovered: Int64 = 10_000_000

  package init() {}
}

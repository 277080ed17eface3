/// A strap of which the broker keeps a status that the station did not send since it started.
struct MQTTLeftover: Hashable, Sendable {
  let identifier: String
  /// Whether the broker says that the strap is received.
  let isOnline: Bool
  /// Whether the station has heard of the strap since it started.
  let isKnown: Bool
}

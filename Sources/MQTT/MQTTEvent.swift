/// What happens on the connection of a client.
package enum MQTTEvent: Hashable, Sendable {
  /// The broker accepted the client. Subscriptions are requested again by the client itself.
  case connected
  /// There is no connection any more, or an attempt failed. The next attempt follows after `retry`; `nil` when the client closes.
  case disconnected(MQTTDisconnectReason, retry: Duration?)
  case received(topic: String, payload: [UInt8], isRetained: Bool)
  /// The broker refused a subscription.
  case subscriptionRefused(filter: String)
}

/// The outcome of `MQTTClient.close`.
package enum MQTTCloseResult: Hashable, Sendable {
  /// All messages were sent and the broker was told. It does not publish the will.
  case delivered
  /// The connection ended with `remaining` messages unsent. The broker publishes the will if there was a connection.
  case undelivered(remaining: Int)
  /// The thread is blocked, for example by name resolution, and ends later.
  case abandoned
}

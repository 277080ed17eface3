/// The delivery guarantee of a message (MQTT 3.1.1, section 4.3). Exactly once (2) is not offered: no outlet needs it.
package enum MQTTQoS: Int32, Hashable, Sendable, CaseIterable {
  /// Sent once; lost with the connection.
  case atMostOnce = 0
  /// Repeated until the broker acknowledges it, so that it may arrive twice.
  case atLeastOnce = 1
}

/// The limits of what waits for a connection. libmosquitto has none of its own.
package struct MQTTQueueLimits: Hashable, Sendable {
  /// The maximum number of messages.
  package var count = 4096
  /// The maximum size of all messages, in bytes (see `MQTTMessage.size`).
  package var bytes = 4 << 20
  /// The time after which a live message is no longer worth sending; `nil` for never. Retained messages do not expire.
  package var lifetime: Duration? = .seconds(30)

  package init() {}
}

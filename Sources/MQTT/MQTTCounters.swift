/// The counters of a client since it was made, and its state.
package struct MQTTCounters: Hashable, Sendable {
  /// Messages that were written to the connection (QoS 0) or acknowledged (QoS 1). When a connection fails, up to 200 kB of
  /// those that were written may not have arrived.
  package var published = 0
  /// Messages that were not sent because the queue was full, or because the connection failed while they were written.
  package var dropped = 0
  /// Live messages that were older than `MQTTQueueLimits.lifetime` when they could be sent.
  package var expired = 0
  /// Retained messages that a later one on the same topic replaced.
  package var replaced = 0
  /// Messages that `publish` refused.
  package var refused = 0
  /// Messages received and delivered to `events`.
  package var received = 0
  /// Events that nobody read in time, and messages that were too large.
  package var receivedDropped = 0
  /// Attempts to connect.
  package var attempts = 0
  /// Connections that the broker accepted.
  package var connections = 0
  /// The number of messages in the queue, without those that are being sent.
  package var queued = 0
  /// The size of the queue, in bytes (see `MQTTMessage.size`).
  package var queuedBytes = 0
  /// Whether the broker accepted the present connection.
  package var isConnected = false

  package init() {}

  /// Connections after the first one.
  package var reconnects: Int { max(0, connections - 1) }
}

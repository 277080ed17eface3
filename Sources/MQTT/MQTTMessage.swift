/// A message to publish. A retained message is the last value of its topic: a later one replaces it in the queue.
package struct MQTTMessage: Hashable, Sendable {
  /// A topic without wildcards, at most 65,535 bytes of UTF-8.
  package var topic: String
  /// Any bytes.
  package var payload: [UInt8]
  /// The guarantee of delivery to the broker.
  package var qos: MQTTQoS
  /// Whether the broker keeps the message for later subscribers. An empty retained message deletes the one that it keeps.
  package var isRetained: Bool

  package init(topic: String, payload: [UInt8], qos: MQTTQoS = .atMostOnce, isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
  }

  package init(topic: String, text: String, qos: MQTTQoS = .atMostOnce, isRetained: Bool = false) {
    self.init(topic: topic, payload: Array(text.utf8), qos: qos, isRetained: isRetained)
  }

  /// What the message counts for in the limits of a queue, in bytes: topic, payload and the bookkeeping.
  package var size: Int { topic.utf8.count + payload.count + 128 }
}

/// What became of a message that was given to `MQTTClient.publish`.
package enum MQTTPublishResult: Hashable, Sendable {
  /// It waits for the connection. `dropped` older live messages were removed to make room.
  case queued(dropped: Int)
  /// It was removed itself, because nothing but retained messages was in the queue.
  case dropped
  /// The topic has wildcards or control characters, or the message is larger than the queue.
  case invalid
  /// The client is closed.
  case closed
}

import MQTT

/// Reads the events of a client in a test.
struct EventReader {
  private var iterator: AsyncStream<MQTTEvent>.AsyncIterator

  init(_ client: MQTTClient) { iterator = client.events.makeAsyncIterator() }

  /// Returns the first event that `isWanted`, or `nil` at the end of the stream.
  mutating func next(where isWanted: (MQTTEvent) -> Bool) async -> MQTTEvent? {
    while let event = await iterator.next(isolation: #isolation) {
      if isWanted(event) { return event }
    }
    return nil
  }

  mutating func next() async -> MQTTEvent? { await next { _ in true } }

  /// Returns the reason of the next failure or disconnection.
  mutating func nextReason() async -> MQTTDisconnectReason? {
    while let event = await next() {
      if case .disconnected(let reason, _) = event { return reason }
    }
    return nil
  }

  mutating func nextMessage() async -> String? {
    while let event = await next() {
      if case .received(_, let payload, _) = event { return String(decoding: payload, as: UTF8.self) }
    }
    return nil
  }

  mutating func isConnected() async -> Bool { await next { $0 == .connected } != nil }
}

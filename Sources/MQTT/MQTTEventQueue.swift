import DequeModule
import Threads

/// What waits for the reader of a client's events, bounded in size. When it is full, the oldest received message is dropped, so that
/// the reader learns of every connection.
final class MQTTEventQueue: Sendable {
  private struct Entry {
    let event: MQTTEvent
    let sequence: Int
  }

  private struct State {
    var messages = Deque<Entry>()
    /// What happened on the connection.
    var others = Deque<Entry>()
    var sequence = 0
    var bytes = 0
    var reader: CheckedContinuation<MQTTEvent?, Never>?
    var isEnded = false

    mutating func append(_ event: MQTTEvent) {
      sequence += 1
      bytes += event.size
      let entry = Entry(event: event, sequence: sequence)
      if case .received = event { messages.append(entry) } else { others.append(entry) }
    }

    /// Removes the oldest event.
    mutating func popFirst() -> MQTTEvent? {
      let isMessage = (messages.first?.sequence ?? .max) < (others.first?.sequence ?? .max)
      return removed(isMessage ? messages.popFirst() : others.popFirst())
    }

    /// Removes the event that is missed least.
    mutating func dropOne() { _ = removed(messages.popFirst() ?? others.popFirst()) }

    private mutating func removed(_ entry: Entry?) -> MQTTEvent? {
      bytes -= entry?.event.size ?? 0
      return entry?.event
    }
  }

  /// The limit of what waits, in bytes (see `MQTTEvent.size`).
  static let limit = 1 << 20

  private let state = Guarded(State())

  /// The events, for one reader. A reader that is cancelled ends them.
  var stream: AsyncStream<MQTTEvent> {
    AsyncStream(unfolding: { await self.next() }, onCancel: { self.end(isCancelled: true) })
  }

  /// Appends an event. Returns the number of events that were dropped.
  func append(_ event: MQTTEvent) -> Int {
    let (reader, dropped) = state.withLock { state -> (CheckedContinuation<MQTTEvent?, Never>?, Int) in
      guard !state.isEnded else { return (nil, 1) }
      if let reader = state.reader {
        state.reader = nil
        return (reader, 0)
      }
      state.append(event)
      var dropped = 0
      while state.bytes > Self.limit {
        state.dropOne()
        dropped += 1
      }
      return (nil, dropped)
    }
    reader?.resume(returning: event)
    return dropped
  }

  /// Ends the events, after those that wait unless the reader was cancelled.
  func end(isCancelled: Bool = false) {
    let reader = state.withLock { state -> CheckedContinuation<MQTTEvent?, Never>? in
      state.isEnded = true
      if isCancelled { (state.messages, state.others, state.bytes) = ([], [], 0) }
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  private func next() async -> MQTTEvent? {
    await withCheckedContinuation { continuation in
      let (isReady, event) = state.withLock { state -> (Bool, MQTTEvent?) in
        precondition(state.reader == nil, "a client has one reader of its events")
        if let event = state.popFirst() { return (true, event) }
        if state.isEnded { return (true, nil) }
        state.reader = continuation
        return (false, nil)
      }
      if isReady { continuation.resume(returning: event) }
    }
  }
}

extension MQTTEvent {
  /// About what it takes in memory, in bytes.
  fileprivate var size: Int {
    let overhead = 64
    guard case .received(let topic, let payload, _) = self else { return overhead }
    return overhead + topic.utf8.count + payload.count
  }
}

import DequeModule

/// What waits for a connection, bounded by count and size. When it is full, the oldest live message is dropped first; a retained
/// message, of which there is one a topic, only when there are no live ones.
struct OutgoingQueue {
  struct Entry {
    var message: MQTTMessage
    /// The order of publishing.
    let sequence: Int
    let queuedAt: ContinuousClock.Instant
  }

  private struct LastValue {
    let topic: String
    let sequence: Int
  }

  let limits: MQTTQueueLimits
  private(set) var bytes = 0
  private(set) var dropped = 0
  private(set) var expired = 0
  private(set) var replaced = 0

  private var sequence = 0
  /// Messages of a lost connection that are sent again, oldest first; as many as a connection has on the way.
  private var repeated = Deque<Entry>()
  private var live = Deque<Entry>()
  private var lastValues: [String: Entry] = [:]
  /// The order of `lastValues`. An element whose sequence is no longer there is stale.
  private var order = Deque<LastValue>()

  init(limits: MQTTQueueLimits) { self.limits = limits }

  var count: Int { repeated.count + live.count + lastValues.count }
  var isEmpty: Bool { count == 0 }

  // MARK: - Adding

  /// Appends a message, and removes others where there is no room. The message must not be larger than the limit.
  mutating func append(_ message: MQTTMessage, now: ContinuousClock.Instant) -> MQTTPublishResult {
    sequence += 1
    let entry = Entry(message: message, sequence: sequence, queuedAt: now)
    bytes += message.size
    if message.isRetained {
      if let old = lastValues.updateValue(entry, forKey: message.topic) {
        bytes -= old.message.size
        replaced += 1
      }
      order.append(LastValue(topic: message.topic, sequence: sequence))
      compactOrder()
    } else {
      live.append(entry)
    }
    var removed = 0
    while count > limits.count || bytes > limits.bytes, let last = dropOldest() {
      if last == sequence { return .dropped }
      removed += 1
    }
    return .queued(dropped: removed)
  }

  /// Returns messages that a lost connection had not delivered, in their order. A newer last value of a topic wins.
  mutating func `repeat`(_ entries: [Entry]) {
    for entry in entries {
      repeated.append(entry)
      bytes += entry.message.size
    }
    while count > limits.count || bytes > limits.bytes, dropOldest() != nil {}
  }

  // MARK: - Removing

  /// Removes the next message to send. Live messages past their lifetime are dropped.
  mutating func popFirst(now: ContinuousClock.Instant) -> Entry? {
    while let entry = removeFirst() {
      if entry.message.isRetained {
        guard let newer = lastValues[entry.message.topic], newer.sequence > entry.sequence else { return entry }
        replaced += 1
      } else if let lifetime = limits.lifetime, now - entry.queuedAt > lifetime {
        expired += 1
      } else {
        return entry
      }
    }
    return nil
  }

  private mutating func removeFirst() -> Entry? {
    let entry: Entry?
    if !repeated.isEmpty {
      entry = repeated.popFirst()
    } else {
      skipStaleOrder()
      if let value = order.first, value.sequence < live.first?.sequence ?? .max {
        _ = order.popFirst()
        entry = lastValues.removeValue(forKey: value.topic)
      } else {
        entry = live.popFirst()
      }
    }
    bytes -= entry?.message.size ?? 0
    return entry
  }

  /// Drops the oldest live message, or else the oldest retained one. Returns its place in the order of publishing.
  private mutating func dropOldest() -> Int? {
    let entry: Entry?
    if let oldest = live.popFirst() {
      entry = oldest
    } else if let oldest = repeated.popFirst() {
      entry = oldest
    } else {
      skipStaleOrder()
      entry = order.popFirst().flatMap { lastValues.removeValue(forKey: $0.topic) }
    }
    guard let entry else { return nil }
    bytes -= entry.message.size
    dropped += 1
    return entry.sequence
  }

  private mutating func skipStaleOrder() {
    while let value = order.first, lastValues[value.topic]?.sequence != value.sequence { _ = order.popFirst() }
  }

  /// Removes stale elements when they are the majority.
  private mutating func compactOrder() {
    guard order.count > 2 * lastValues.count + 64 else { return }
    order.removeAll { lastValues[$0.topic]?.sequence != $0.sequence }
  }
}

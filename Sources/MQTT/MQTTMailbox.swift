import Threads

/// What the users of a client and its thread share.
final class MQTTMailbox: Sendable {
  private struct State {
    var queue: OutgoingQueue
    var counters = MQTTCounters()
    var subscriptions: [String: MQTTQoS] = [:]
    /// Subscriptions that the present connection has not requested yet.
    var newSubscriptions: [String] = []
    /// When closing must be complete; `nil` while the client is in use.
    var closing: ContinuousClock.Instant?
    var result: MQTTCloseResult?
    var waiters: [Int: CheckedContinuation<MQTTCloseResult, Never>] = [:]
    var waiterCount = 0
    /// Whether the thread waits and must be woken for work.
    var isWaiting = false
    var isRetryDue = false

    /// Whether the thread waits for work; it is then about to be woken.
    mutating func takeWaiting() -> Bool {
      defer { isWaiting = false }
      return isWaiting
    }
  }

  /// What the thread is to do next.
  enum Work {
    case subscribe(filter: String, qos: MQTTQoS)
    case send(OutgoingQueue.Entry)
    case nothing
  }

  static let subscriptionLimit = 64

  let events = MQTTEventQueue()
  let wakeUp: WakeUp
  private let state: Guarded<State>

  init(limits: MQTTQueueLimits) throws(MQTTError) {
    do { wakeUp = try WakeUp() } catch { throw .noResources }
    state = Guarded(State(queue: OutgoingQueue(limits: limits)))
  }

  // MARK: - For the users

  var counters: MQTTCounters {
    state.withLock { state in
      var counters = state.counters
      counters.queued = state.queue.count
      counters.queuedBytes = state.queue.bytes
      counters.dropped += state.queue.dropped
      counters.expired = state.queue.expired
      counters.replaced = state.queue.replaced
      return counters
    }
  }

  func publish(_ message: MQTTMessage, now: ContinuousClock.Instant) -> MQTTPublishResult {
    let (result, isWaiting) = state.withLock { state -> (MQTTPublishResult, Bool) in
      guard state.closing == nil else {
        state.counters.refused += 1
        return (.closed, false)
      }
      guard MQTTTopicRules.isTopic(message.topic), message.size <= state.queue.limits.bytes else {
        state.counters.refused += 1
        return (.invalid, false)
      }
      return (state.queue.append(message, now: now), state.takeWaiting())
    }
    if isWaiting { wakeUp.call() }
    return result
  }

  func subscribe(_ filter: String, _ qos: MQTTQoS) throws(MQTTError) {
    guard MQTTTopicRules.isFilter(filter) else { throw .invalidTopic(filter) }
    let isFull = state.withLock { state in
      guard state.subscriptions[filter] != nil || state.subscriptions.count < Self.subscriptionLimit else {
        return true
      }
      state.subscriptions[filter] = qos
      state.newSubscriptions.append(filter)
      return false
    }
    if isFull { throw .tooManySubscriptions(limit: Self.subscriptionLimit) }
    wakeUp.call()
  }

  /// Lets the thread publish `last` and what is in the queue, and end before `deadline`.
  func close(publishing last: [MQTTMessage], now: ContinuousClock.Instant, deadline: ContinuousClock.Instant) {
    state.withLock { state in
      guard state.closing == nil else { return }
      state.closing = deadline
      for message in last where MQTTTopicRules.isTopic(message.topic) {
        _ = state.queue.append(message, now: now)
      }
    }
    wakeUp.call()
  }

  /// Waits for the end of the thread, or for `abandon`.
  func waitForEnd(_ started: (Int) -> Void) async -> MQTTCloseResult {
    await withCheckedContinuation { continuation in
      let (result, id) = state.withLock { state -> (MQTTCloseResult?, Int) in
        state.waiterCount += 1
        if state.result == nil { state.waiters[state.waiterCount] = continuation }
        return (state.result, state.waiterCount)
      }
      if let result { continuation.resume(returning: result) } else { started(id) }
    }
  }

  func abandon(_ waiter: Int) {
    state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: .abandoned)
  }

  // MARK: - For the thread

  /// When closing must be complete; `nil` while the client is in use.
  var closing: ContinuousClock.Instant? { state.withLock { $0.closing } }

  /// Returns the next piece of work of a connection that has room for it. Without any, `publish` wakes the thread.
  func nextWork(now: ContinuousClock.Instant) -> Work {
    state.withLock { state in
      while let filter = state.newSubscriptions.popLast() {
        if let qos = state.subscriptions[filter] { return .subscribe(filter: filter, qos: qos) }
      }
      if let entry = state.queue.popFirst(now: now) { return .send(entry) }
      state.isWaiting = true
      return .nothing
    }
  }

  var isQueueEmpty: Bool { state.withLock { $0.queue.isEmpty } }

  func noteAttempt() { state.withLock { $0.counters.attempts += 1 } }

  func noteConnected() {
    state.withLock { state in
      state.counters.connections += 1
      state.counters.isConnected = true
      state.newSubscriptions = Array(state.subscriptions.keys)
    }
    emit(.connected)
  }

  /// Takes back what a lost connection had not delivered: acknowledged and retained messages are sent again.
  /// `rejected` is the number of messages that libmosquitto refused.
  func noteDisconnected(undelivered: [OutgoingQueue.Entry], rejected: Int) {
    state.withLock { state in
      state.counters.isConnected = false
      state.isRetryDue = false
      let isRepeated = { (entry: OutgoingQueue.Entry) in entry.message.isRetained || entry.message.qos == .atLeastOnce }
      state.queue.repeat(undelivered.filter(isRepeated))
      state.counters.dropped += undelivered.count { !isRepeated($0) } + rejected
    }
  }

  func notePublished(_ count: Int) { state.withLock { $0.counters.published += count } }

  func noteTooLarge() { state.withLock { $0.counters.receivedDropped += 1 } }

  func emit(_ event: MQTTEvent) {
    let dropped = events.append(event)
    let isMessage = if case .received = event { 1 } else { 0 }
    guard dropped + isMessage > 0 else { return }
    state.withLock { state in
      state.counters.received += isMessage
      state.counters.receivedDropped += dropped
    }
  }

  // MARK: - Retries

  /// Lets the thread connect again.
  func retry() {
    state.withLock { $0.isRetryDue = true }
    wakeUp.call()
  }

  /// Whether the pause before the next attempt is over, or the client closes.
  var isPauseOver: Bool { state.withLock { $0.isRetryDue || $0.closing != nil } }

  /// Ends the client.
  func finish(_ result: MQTTCloseResult) {
    let waiters = state.withLock { state in
      state.result = result
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    events.end()
    for waiter in waiters { waiter.resume(returning: result) }
  }
}

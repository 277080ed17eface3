/// Routes signals to subscribers, using match rules and the owners of the well-known names among the senders. Used only on the
/// reactor's thread.
final class SignalRouter {
  /// Calls a method of the bus itself; `completion` is called with the reply or the error.
  typealias CallBus = (_ member: String, _ arguments: [DBusValue], _ completion: @escaping PendingCall.Completion) ->
    Void
  typealias Completion = (Result<Void, DBusError>) -> Void

  private let callBus: CallBus
  private let owners: OwnerTracker
  private var entries: [DBusMatchRule: SignalRoute] = [:] {
    didSet { routes = Array(entries.values) }
  }
  /// The routes as an array, for fast iteration.
  private var routes: [SignalRoute] = []

  init(owners: OwnerTracker, callBus: @escaping CallBus) {
    self.owners = owners
    self.callBus = callBus
  }

  /// Adds a subscriber. `completion` is called when the bus has accepted or refused the rule.
  func add(_ subscriber: SignalSubscriber, rule: DBusMatchRule, completion: @escaping Completion) {
    if let entry = entries[rule] {
      entry.subscribers.append(subscriber)
      if entry.isActive { completion(.success(())) } else { entry.waiters.append(completion) }
      return
    }
    let entry = SignalRoute(rule: rule)
    entry.subscribers = [subscriber]
    entry.waiters = [completion]
    entries[rule] = entry
    // The bus processes calls in order: the owner is known before the rule is accepted.
    if let name = rule.trackedSender { owners.retain(name) }
    callBus("AddMatch", [.string(rule.text)]) { [weak self] result in
      self?.ruleAdded(rule, result)
    }
  }

  /// Removes a subscriber, and the rule with its last one.
  func remove(_ identifier: UInt64, rule: DBusMatchRule) {
    guard let entry = entries[rule] else { return }
    entry.subscribers.removeAll { $0.identifier == identifier }
    if entry.isActive, entry.subscribers.isEmpty { drop(rule) }
  }

  /// Returns the subscribers of a signal, in the order of their subscription.
  func subscribers(of message: MessageHandle) -> [SignalSubscriber] {
    var found: [SignalSubscriber] = []
    var isSorted = true
    for route in routes where route.matches(message.message, owners) {
      isSorted = found.isEmpty
      if found.isEmpty { found = route.subscribers } else { found += route.subscribers }
    }
    if !isSorted { found.sort { $0.identifier < $1.identifier } }
    return found
  }

  /// Ends all subscriptions, because the connection is closed.
  func end() {
    let ended = entries.values
    entries = [:]
    for entry in ended {
      for waiter in entry.waiters { waiter(.failure(.disconnected)) }
      for subscriber in entry.subscribers { subscriber.end() }
    }
  }

  private func ruleAdded(_ rule: DBusMatchRule, _ result: Result<MessageHandle, DBusError>) {
    guard let entry = entries[rule] else { return }
    var outcome = result.map { _ in }
    if case .success = outcome, let name = rule.trackedSender, let error = owners.failure(of: name) {
      callBus("RemoveMatch", [.string(rule.text)]) { _ in }
      outcome = .failure(error)
    }
    let waiters = entry.waiters
    entry.waiters = []
    switch outcome {
    case .success:
      entry.isActive = true
      if entry.subscribers.isEmpty { drop(rule) }
    case .failure:
      entries[rule] = nil
      if let name = rule.trackedSender { owners.release(name) }
    }
    for waiter in waiters { waiter(outcome) }
  }

  private func drop(_ rule: DBusMatchRule) {
    entries[rule] = nil
    callBus("RemoveMatch", [.string(rule.text)]) { _ in }
    if let name = rule.trackedSender { owners.release(name) }
  }
}

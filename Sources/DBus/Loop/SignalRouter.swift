/// Which signals go to whom: match rules with their subscribers, and the owners of the well-known names among the
/// senders. Only the reactor's thread uses it.
final class SignalRouter {
  /// What the router needs done on the bus: a method of the bus itself, with its first answer or error.
  typealias CallBus = (_ member: String, _ arguments: [DBusValue], _ completion: @escaping PendingCall.Completion) ->
    Void
  typealias Completion = (Result<Void, DBusError>) -> Void

  private let callBus: CallBus
  private let owners: OwnerTracker
  private var entries: [DBusMatchRule: SignalRoute] = [:] {
    didSet { routes = Array(entries.values) }
  }
  /// The same, quick to go through.
  private var routes: [SignalRoute] = []

  init(owners: OwnerTracker, callBus: @escaping CallBus) {
    self.owners = owners
    self.callBus = callBus
  }

  /// Adds a subscriber; `completion` comes when the bus has the rule.
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
    // The bus works in order: when it has the rule, the owner is known.
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

  /// The subscribers that a signal goes to, in the order in which they came.
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

  /// The connection is gone.
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

/// A match rule with those who get what it selects. Only the reactor's thread uses it.
final class SignalRoute {
  let rule: DBusMatchRule
  var subscribers: [SignalSubscriber] = []
  var waiters: [SignalRouter.Completion] = []
  var isActive = false
  private let matcher: SignalMatcher
  /// Whose signals are genuine, as of a revision of the owners.
  private var sender: (name: String?, revision: UInt64)?

  init(rule: DBusMatchRule) {
    self.rule = rule
    matcher = SignalMatcher(rule: rule)
  }

  func matches(_ message: OpaquePointer, _ owners: OwnerTracker) -> Bool {
    guard isActive, matcher.matches(message) else { return false }
    guard rule.sender != nil else { return true }
    if sender?.revision != owners.revision {
      sender = (rule.trackedSender.map { owners.owner(of: $0) } ?? rule.sender, owners.revision)
    }
    guard let name = sender?.name else { return false }
    return SignalMatcher.isSent(message, by: name)
  }
}

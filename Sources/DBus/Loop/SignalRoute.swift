/// A match rule with its subscribers. Used only on the reactor's thread.
final class SignalRoute {
  let rule: DBusMatchRule
  var subscribers: [SignalSubscriber] = []
  var waiters: [SignalRouter.Completion] = []
  var isActive = false
  private let matcher: SignalMatcher
  /// The sender of genuine signals, as of a revision of the owners.
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

/// Signals go to a handler for as long as this object lives and is not cancelled.
package final class DBusSubscription: Sendable {
  private let mailbox: DBusMailbox
  private let rule: DBusMatchRule
  private let subscriber: SignalSubscriber

  init(mailbox: DBusMailbox, rule: DBusMatchRule, subscriber: SignalSubscriber) {
    self.mailbox = mailbox
    self.rule = rule
    self.subscriber = subscriber
  }

  deinit { cancel() }

  /// Ends it: the handler is not begun again after this returns, and the match is removed. Idempotent.
  package func cancel() {
    subscriber.cancel()
    mailbox.post { [rule, subscriber] loop in loop.router.remove(subscriber.identifier, rule: rule) }
  }
}

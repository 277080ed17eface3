/// A subscription to signals, which calls a handler until it is cancelled or deinitialised.
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

  /// Ends the subscription and removes the match. The handler is not called again after this method returns. Idempotent.
  package func cancel() {
    subscriber.cancel()
    mailbox.post { [rule, subscriber] loop in loop.router.remove(subscriber.identifier, rule: rule) }
  }
}

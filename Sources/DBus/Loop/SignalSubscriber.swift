import Synchronization

/// A receiver of signals.
final class SignalSubscriber: Sendable {
  let identifier: UInt64
  private let isCancelled = Atomic<Bool>(false)
  private let handler: @Sendable (DBusSignal) -> Void
  private let ending: @Sendable () -> Void

  init(
    identifier: UInt64, handler: @escaping @Sendable (DBusSignal) -> Void, ending: @escaping @Sendable () -> Void
  ) {
    self.identifier = identifier
    self.handler = handler
    self.ending = ending
  }

  func cancel() { isCancelled.store(true, ordering: .releasing) }

  func deliver(_ signal: DBusSignal) {
    if !isCancelled.load(ordering: .acquiring) { handler(signal) }
  }

  func end() { ending() }
}

import Threads

/// A result with several possible sources and one waiter. The first result counts.
final class OnceBox<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, DBusError>

  private struct State {
    var outcome: Outcome?
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Guarded(State())

  var isFinished: Bool { state.withLock { $0.outcome != nil } }

  func finish(_ outcome: Outcome) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Starts the work and waits for its result. At most one task may wait. Cancelling the task ends the wait with `.cancelled`.
  func value(start: () -> Void) async throws(DBusError) -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFinished = state.withLock { state -> Bool in
          if state.outcome == nil { state.waiter = continuation }
          return state.outcome != nil
        }
        if isFinished { continuation.resume() } else { start() }
      }
    } onCancel: {
      finish(.failure(.cancelled))
    }
    // The continuation is resumed only after the outcome is set.
    guard let outcome = state.withLock({ $0.outcome }) else { throw .cancelled }
    return try outcome.get()
  }
}

import Synchronization
import Threads

/// The interface of a reactor to other threads, which post commands that the reactor's thread executes in order.
final class DBusMailbox: Sendable {
  typealias Command = @Sendable (DBusLoop) -> Void

  private struct State {
    var commands: [Command] = []
    var isWoken = false
    var isClosed = false
    var closeWaiters: [OnceBox<Void>] = []
  }

  /// Called when there are commands.
  let wakeUp: WakeUp
  let exports = Guarded(ExportTable())
  private let state = Guarded(State())
  private let identifiers = Atomic<UInt64>(0)

  /// - Throws: `DBusError.outOfMemory` when no descriptor can be created.
  init() throws(DBusError) {
    do { wakeUp = try WakeUp() } catch { throw .outOfMemory }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func nextIdentifier() -> UInt64 { identifiers.add(1, ordering: .relaxed).newValue }

  /// Posts a command. Returns whether it will be executed, which is `false` after the reactor has ended.
  @discardableResult
  func post(_ command: @escaping Command) -> Bool {
    let (isAccepted, mustWake) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed else { return (false, false) }
      state.commands.append(command)
      defer { state.isWoken = true }
      return (true, !state.isWoken)
    }
    // Written outside of the lock, which the reactor acquires first when it wakes. The reactor may already have executed the
    // command, in which case the wake-up has no effect.
    if mustWake { wakeUp.call() }
    return isAccepted
  }

  /// Executes `start` on the reactor and waits for the result.
  func result<Value: Sendable>(
    of type: Value.Type = Value.self, _ start: @escaping @Sendable (DBusLoop, OnceBox<Value>) -> Void
  ) async throws(DBusError) -> Value {
    let box = OnceBox<Value>()
    return try await box.value {
      let isPosted = post { loop in
        if !box.isFinished { start(loop, box) }
      }
      if !isPosted { box.finish(.failure(.disconnected)) }
    }
  }

  func waitUntilClosed() async {
    let box = OnceBox<Void>()
    // Cancelling ends the wait only.
    _ = try? await box.value {
      let isClosed = state.withLock { state in
        if !state.isClosed {
          state.closeWaiters.removeAll(where: \.isFinished)
          state.closeWaiters.append(box)
        }
        return state.isClosed
      }
      if isClosed { box.finish(.success(())) }
    }
  }

  // MARK: - For the reactor

  func drainCommands() -> [Command] {
    state.withLock { state in
      guard state.isWoken else { return [] }
      state.isWoken = false
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Rejects all further commands and returns those that are left.
  func close() -> [Command] {
    state.withLock { state in
      state.isClosed = true
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Resumes the callers of `waitUntilClosed()`, after everything else has ended.
  func announceEnd() {
    let waiters = state.withLock { state in
      defer { state.closeWaiters = [] }
      return state.closeWaiters
    }
    for waiter in waiters { waiter.finish(.success(())) }
  }
}

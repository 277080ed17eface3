import Synchronization

/// A sleep for tests, which records each duration. It returns at once, or when the test allows it.
final class ManualSleep: Sendable {
  private struct State {
    var durations: [Duration] = []
    var permits: Int
    var sleepers: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  /// `permits` is how many sleeps return at once.
  init(permits: Int = .max) { state = Mutex(State(permits: permits)) }

  var durations: [Duration] { state.withLock(\.durations) }

  @Sendable func wait(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        state.durations.append(duration)
        guard state.permits == 0 else {
          state.permits -= 1
          return true
        }
        state.sleepers.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Lets the present sleeps and all later ones return.
  func release() {
    let sleepers = state.withLock { state in
      state.permits = .max
      defer { state.sleepers = [] }
      return state.sleepers
    }
    for sleeper in sleepers { sleeper.resume() }
  }
}

import Synchronization
import TachogramCore

/// A time source that advances only on request.
package final class ManualTimeSource: TimeSourceProtocol {
  private struct State {
    var now: Int64
    var sleepers: [Int: (due: Int64, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var next = 0
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  /// `epoch`: both clocks at the start, in microseconds.
  package init(epoch: Int64 = 1_700_000_000_000_000) {
    state = Mutex(State(now: epoch))
  }

  package func now() -> (monotonic: MonotonicTime, wall: WallTime) {
    let now = state.withLock { $0.now }
    return (MonotonicTime(microseconds: now), WallTime(microseconds: now))
  }

  /// Advances the time and resumes the tasks whose sleep has ended.
  package func advance(seconds: Int64) {
    advance(microseconds: seconds * 1_000_000)
  }

  /// Advances the time by microseconds and resumes the tasks whose sleep has ended.
  package func advance(microseconds: Int64) {
    let woken = state.withLock { state in
      state.now += microseconds
      let due = state.sleepers.filter { $0.value.due <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.sorted { $0.value.due < $1.value.due }.map(\.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  package func sleep(until time: MonotonicTime) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let watchers: [CheckedContinuation<Void, Never>]? = state.withLock { state in
          if Task.isCancelled || time.microseconds <= state.now { return nil }
          state.sleepers[number] = (time.microseconds, continuation)
          defer { state.watchers = [] }
          return state.watchers
        }
        guard let watchers else { return continuation.resume(with: Result { try Task.checkCancellation() }) }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until a task sleeps.
  package func waitForSleeper() async {
    await withCheckedContinuation { continuation in
      let isAsleep = state.withLock { state in
        if state.sleepers.isEmpty { state.watchers.append(continuation) }
        return !state.sleepers.isEmpty
      }
      if isAsleep { continuation.resume() }
    }
  }
}

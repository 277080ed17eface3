import GATT
import Synchronization
import TachogramCore

/// Which notification came last of each strap; the player waits for its own before it turns the clock on.
final class SoakArrivals: Sendable {
  private struct State {
    var last: [Int?]
    var wanted: [Int?] = []
    var waiter: CheckedContinuation<Bool, Never>?
    /// Counts the waits, so that an alarm rings for its own only.
    var waits = 0

    var isFulfilled: Bool { zip(last, wanted).allSatisfy { $1 == nil || $0 == $1 } }
  }

  /// How long, in real time, what was handed over may take.
  private static let timeout: Duration = .seconds(60)

  private let state: Mutex<State>

  init(straps: Int) {
    state = Mutex(State(last: Array(repeating: nil, count: straps)))
  }

  /// The number of the last notification of a strap.
  func last(of strap: Int) -> Int? { state.withLock { $0.last[strap] } }

  /// Takes an event that was dealt with.
  func handle(_ event: StrapEvent) {
    guard case .notification(let value) = event.content,
      let number = (try? HeartRateMeasurementCodec.decode(value[...]))?.energyExpended
    else { return }
    let waiter: CheckedContinuation<Bool, Never>? = state.withLock { state in
      state.last[event.strap] = Int(number)
      guard state.waiter != nil, state.isFulfilled else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: true)
  }

  /// Returns when the last notification of each strap has the number that is wanted of it; `false` when that does not
  /// come about.
  func wait(for wanted: [Int?]) async -> Bool {
    let (isFulfilled, number) = state.withLock { state in
      state.wanted = wanted
      state.waits += 1
      return (state.isFulfilled, state.waits)
    }
    if isFulfilled { return true }
    let alarm = Task {
      try await Task.sleep(for: Self.timeout)
      giveUp(number)
    }
    defer { alarm.cancel() }
    return await withCheckedContinuation { continuation in
      let isFulfilled = state.withLock { state in
        if !state.isFulfilled { state.waiter = continuation }
        return state.isFulfilled
      }
      if isFulfilled { continuation.resume(returning: true) }
    }
  }

  private func giveUp(_ number: Int) {
    let waiter: CheckedContinuation<Bool, Never>? = state.withLock { state in
      guard state.waits == number else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: false)
  }
}

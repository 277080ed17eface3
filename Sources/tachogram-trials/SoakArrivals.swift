import GATT
import Synchronization
import TachogramCore

/// The last notification of each strap. The player waits for its own before it advances the clock.
final class SoakArrivals: Sendable {
  private struct State {
    var last: [Int?]
    var wanted: [Int?] = []
    var waiter: CheckedContinuation<Bool, Never>?
    /// The number of waits, so that an alarm applies to its own wait only.
    var waits = 0

    var isFulfilled: Bool { zip(last, wanted).allSatisfy { $1 == nil || $0 == $1 } }
  }

  /// The time limit for delivery, in real time.
  private static let timeout: Duration = .seconds(60)

  private let state: Mutex<State>

  init(straps: Int) {
    state = Mutex(State(last: Array(repeating: nil, count: straps)))
  }

  /// Returns the number of the last notification of a strap.
  func last(of strap: Int) -> Int? { state.withLock { $0.last[strap] } }

  /// Records a handled event.
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

  /// Waits until the last notification of each strap has the wanted number. Returns `false` if that does not happen.
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

import Synchronization

/// What a server received.
final class ReceivedLines: Sendable {
  private struct State {
    var text = ""
    var refused = 0
  }

  private let state = Mutex(State())

  /// Keeps the body of a request. Returns `false` for one that is refused.
  func accept(_ body: [UInt8]) -> Bool {
    state.withLock { state in
      guard state.refused == 0 else {
        state.refused -= 1
        return false
      }
      state.text += String(decoding: body, as: UTF8.self)
      return true
    }
  }

  /// Refuses the next requests.
  func refuse(_ count: Int) { state.withLock { $0.refused = count } }

  func contains(_ part: String) -> Bool { state.withLock { $0.text.contains(part) } }
}

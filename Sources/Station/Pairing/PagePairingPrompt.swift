import BlueZ
import Dashboard
import Synchronization

/// The questions of a strap to a person at the page. A passkey is passed on, and neither stored nor logged.
final class PagePairingPrompt: PairingPromptProtocol {
  private struct State {
    var question: API.Pairing.Question?
    /// Waits for the answer to `question`.
    var waiting: CheckedContinuation<API.PairingAnswer?, Never>?
    var isEnded = false
  }

  private let state = Mutex(State())

  /// The current question, or `nil`.
  var question: API.Pairing.Question? { state.withLock { $0.question } }

  /// Answers the current question. Returns `false` if there is no question of this kind.
  func answer(_ answer: API.PairingAnswer) -> Bool {
    let waiting: CheckedContinuation<API.PairingAnswer?, Never>? = state.withLock { state in
      switch (state.question?.kind, answer) {
      case (.passkey, .passkey), (.comparison, .matches): break
      default: return nil
      }
      defer { (state.question, state.waiting) = (nil, nil) }
      return state.waiting
    }
    waiting?.resume(returning: answer)
    return waiting != nil
  }

  /// Refuses the current question and all later ones.
  func end() {
    let waiting = state.withLock { state in
      state.isEnded = true
      defer { (state.question, state.waiting) = (nil, nil) }
      return state.waiting
    }
    waiting?.resume(returning: nil)
  }

  // MARK: - Of the strap

  func passkey(for strap: String) async -> UInt32? {
    guard case .passkey(let number) = await ask(API.Pairing.Question(.passkey)) else { return nil }
    return number
  }

  func confirms(_ passkey: UInt32, for strap: String) async -> Bool {
    await ask(API.Pairing.Question(.comparison, number: Self.padded(passkey))) == .matches(true)
  }

  func show(_ passkey: UInt32, for strap: String) async {
    state.withLock { state in
      if !state.isEnded { state.question = API.Pairing.Question(.display, number: Self.padded(passkey)) }
    }
  }

  private func ask(_ question: API.Pairing.Question) async -> API.PairingAnswer? {
    await withCheckedContinuation { continuation in
      let (isEnded, earlier) = state.withLock { state in
        if state.isEnded { return (true, CheckedContinuation<API.PairingAnswer?, Never>?.none) }
        defer { (state.question, state.waiting) = (question, continuation) }
        return (false, state.waiting)
      }
      // The daemon asks anew only after it has given up the question before.
      earlier?.resume(returning: nil)
      if isEnded { continuation.resume(returning: nil) }
    }
  }

  private static func padded(_ passkey: UInt32) -> String {
    let digits = String(passkey)
    return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
  }
}

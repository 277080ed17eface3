import Synchronization
import TachogramCore

/// A thread-safe counter of wrong tokens, shared by all connections.
final class FailedTokenCounter: Sendable {
  private let tokens = Mutex(FailedTokens())
  private let time: any TimeSourceProtocol

  init(time: any TimeSourceProtocol) {
    self.time = time
  }

  func isBarred(_ place: String) -> Bool {
    let now = time.now().monotonic
    return tokens.withLock { $0.isBarred(place, at: now) }
  }

  func add(_ place: String) {
    let now = time.now().monotonic
    tokens.withLock { $0.add(place, at: now) }
  }

  func forget(_ place: String) {
    tokens.withLock { $0.forget(place) }
  }
}

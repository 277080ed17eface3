import Synchronization
import TachogramCore

/// A counter of the notifications that a recorder handled.
final class Arrivals: Sendable {
  let count = Mutex(0)

  func handle(_ event: StrapEvent) {
    if case .notification = event.content { count.withLock { $0 += 1 } }
  }
}

import Synchronization
import TachogramCore

/// Counts the notifications that a recorder took.
final class Arrivals: Sendable {
  let count = Mutex(0)

  func handle(_ event: StrapEvent) {
    if case .notification = event.content { count.withLock { $0 += 1 } }
  }
}

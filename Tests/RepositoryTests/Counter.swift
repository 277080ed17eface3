import Synchronization

/// Counts from 0, from any task.
final class Counter: Sendable {
  private let value = Mutex(0)

  /// The count so far; the next call gets one more.
  func increment() -> Int {
    value.withLock { value in
      defer { value += 1 }
      return value
    }
  }
}

import Glibc

/// A value behind a lock. `Synchronization.Mutex` does the same, but the thread sanitizer does not see through it,
/// and what several threads share here has to be provably clean.
///
/// Sendable although the value is plain memory: it is reached only with the lock held.
final class Guarded<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Not to be called again from within `body`.
  func withLock<Outcome>(_ body: (inout Value) -> sending Outcome) -> sending Outcome {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}

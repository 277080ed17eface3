import Glibc

/// A value and its lock, as in the module DBus: unlike `Synchronization.Mutex`, the thread sanitizer understands it.
///
/// Sendable although the value is plain memory: it is accessed only while the lock is held.
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

  /// Calls `body` with the value while holding the lock. Must not be called from within `body`.
  func withLock<Outcome>(_ body: (inout Value) -> sending Outcome) -> sending Outcome {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}

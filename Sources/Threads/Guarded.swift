import Glibc

/// A value protected by a lock. `Synchronization.Mutex` does the same, but the thread sanitizer does not support it: it reports
/// false races, among which real ones would be overlooked. For code that shares state between threads of its own.
///
/// The class is Sendable because the value is accessed only while the lock is held.
package final class Guarded<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls `body` with the lock held. The lock is not recursive: `body` must not call this method.
  package func withLock<Outcome>(_ body: (inout Value) throws -> sending Outcome) rethrows -> sending Outcome {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

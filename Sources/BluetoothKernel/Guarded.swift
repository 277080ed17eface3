import Glibc

/// A value behind a lock. `Synchronization.Mutex` does the same, but the thread sanitizer does not see through it: it reports
/// races where there are none, and real ones would drown among them.
///
/// Sendable although the value is plain memory: it is reached only with the lock held.
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

  /// Not to be called again from within `body`.
  package func withLock<Outcome>(_ body: (inout Value) throws -> sending Outcome) rethrows -> sending Outcome {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

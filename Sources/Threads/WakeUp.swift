import CThreads
import Glibc

/// A descriptor that another thread makes readable to wake a thread in `poll`.
package final class WakeUp: Sendable {
  /// What to wait for, with `POLLIN`.
  package let descriptor: Int32

  package init() throws(ThreadResourceError) {
    descriptor = cthreads_wake_open()
    guard descriptor >= 0 else { throw ThreadResourceError(call: "eventfd", errno: errno) }
  }

  /// Creates a wake-up without a descriptor, which `poll` ignores.
  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// A wake-up that wakes nobody, for threads that also check by themselves.
  package static var unheard: WakeUp { WakeUp(descriptor: -1) }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Makes the descriptor readable. If its counter is full, it is already readable.
  package func call() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Resets the descriptor, so that it is no longer readable.
  package func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}

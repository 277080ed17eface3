import CBluetooth
import Glibc

/// A descriptor that becomes readable when another thread calls, so that a thread in `poll` hears it.
package struct WakeUp: ~Copyable, Sendable {
  package let descriptor: Int32

  package init() throws(KernelAccessError) {
    descriptor = cbluetooth_wake_open()
    guard descriptor >= 0 else { throw .failed(call: "eventfd", errno: errno) }
  }

  /// One that nobody hears: `poll` passes it over. For threads that look around by themselves as well.
  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  package static var unheard: WakeUp { WakeUp(descriptor: -1) }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Makes the descriptor readable. A counter that is full is readable already.
  package func call() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Makes it quiet again.
  package func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}

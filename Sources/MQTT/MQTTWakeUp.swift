import CMosquitto
import Glibc

/// Wakes the thread of a client, which waits in `poll`.
final class MQTTWakeUp: Sendable {
  let descriptor: Int32

  init() throws(MQTTError) {
    descriptor = tachogram_mosquitto_eventfd()
    guard descriptor >= 0 else { throw .noResources }
  }

  deinit { close(descriptor) }

  func signal() {
    var one: UInt64 = 1
    // It fails only when the counter is full, and then the thread is woken anyway.
    _ = write(descriptor, &one, 8)
  }

  func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}

import CThreads
import Glibc

/// Threads that wait for descriptors, which the threads of Swift and Dispatch must not do.
package enum WorkerThread {
  private final class Start {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
  }

  /// Starts a thread, which calls `body` and ends with it. `name` has at most 15 bytes.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadResourceError) {
    let start = Unmanaged.passRetained(Start(name, body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        cthreads_set_name(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw ThreadResourceError(call: "pthread_create", errno: code)
    }
    pthread_detach(thread)
  }
}

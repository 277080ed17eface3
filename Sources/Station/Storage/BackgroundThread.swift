import Dispatch
import Foundation
import Glibc
import Synchronization

/// A thread of low priority that executes work in order. It ends after its work when this object is deinitialised.
final class BackgroundThread: Sendable {
  /// The niceness (nice(1)): of a processor that is in demand, it gets a third of the share of each other thread.
  private static let niceness: Int32 = 5

  private final class Jobs: Sendable {
    /// The work in order; `nil` ends the thread.
    private let waiting = Mutex<[(@Sendable () -> Void)?]>([])
    private let count = DispatchSemaphore(value: 0)

    func append(_ job: (@Sendable () -> Void)?) {
      waiting.withLock { $0.append(job) }
      count.signal()
    }

    func work() {
      // On Linux each thread has its own niceness; 0 is the calling thread.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, BackgroundThread.niceness)
      while true {
        count.wait()
        guard let job = waiting.withLock({ $0.removeFirst() }) else { return }
        job()
      }
    }
  }

  private let jobs = Jobs()

  init(name: String) {
    let thread = Thread { [jobs] in jobs.work() }
    thread.name = name
    thread.start()
  }

  deinit { jobs.append(nil) }

  func submit(_ job: @escaping @Sendable () -> Void) { jobs.append(job) }
}

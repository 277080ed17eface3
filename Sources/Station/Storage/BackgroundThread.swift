import Dispatch
import Foundation
import Glibc
import Synchronization

/// A thread that does one thing after the other and gives way to all others of the machine. Ends when this object does, behind what
/// it was given.
final class BackgroundThread: Sendable {
  /// As by nice(1): of a processor that others want too, it gets a third of what each of them does.
  private static let niceness: Int32 = 5

  private final class Jobs: Sendable {
    /// In their order; `nil` ends the thread.
    private let waiting = Mutex<[(@Sendable () -> Void)?]>([])
    private let count = DispatchSemaphore(value: 0)

    func append(_ job: (@Sendable () -> Void)?) {
      waiting.withLock { $0.append(job) }
      count.signal()
    }

    func work() {
      // Of Linux threads each has its own; 0 is the one that calls.
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

import Dispatch
import Synchronization

/// An executor that runs asynchronous work to its end on the calling thread, so that a fuzzer processes one input at a time, on
/// one thread.
final class CallerExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let waiting = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    waiting.signal()
  }

  /// Returns or throws the result of `work`.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let task = Task(executorPreference: self) {
      do {
        let value = try await work()
        result.withLock { $0 = .success(value) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
    }
    while true {
      waiting.wait()
      jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
      if let result = result.withLock({ $0 }) {
        _ = task
        return try result.get()
      }
    }
  }
}

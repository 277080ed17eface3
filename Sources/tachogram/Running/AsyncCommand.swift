import ArgumentParser
import CommandProcess
import Dispatch
import Synchronization

/// An asynchronous command: it runs on the concurrency pool while the main thread waits for its end. Ctrl-C cancels its task.
protocol AsyncCommand: ParsableCommand, Sendable {
  /// The work after its cancellation; by default links are closed.
  static var ending: Interrupt.Ending { get }

  func perform() async throws
}

extension AsyncCommand {
  static var ending: Interrupt.Ending { .recording }

  func run() throws {
    Interrupt.allow(Self.ending)
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    let task = Task {
      let result: Result<Void, any Error>
      do {
        try await perform()
        result = .success(())
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
      done.signal()
    }
    let interrupt = Interrupt.onRequest { task.cancel() }
    done.wait()
    interrupt.cancel()
    try outcome.withLock { $0 }?.get()
  }
}

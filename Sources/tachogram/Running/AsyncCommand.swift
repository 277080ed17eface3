import ArgumentParser
import Dispatch
import Synchronization

/// A command that waits for things: runs on the concurrency pool while the main thread waits for its end. Ctrl-C
/// cancels its task.
protocol AsyncCommand: ParsableCommand, Sendable {
  /// What it does when it is cancelled; links are given back unless a command says otherwise.
  static var ending: Interrupt.Ending { get }
  /// Whether it stores what it comes to as it goes on, and that stays when it is ended early.
  static var storesPiecemeal: Bool { get }

  func perform() async throws
}

extension AsyncCommand {
  static var ending: Interrupt.Ending { .recording }
  static var storesPiecemeal: Bool { false }

  func run() throws {
    Interrupt.allow(Self.ending)
    if Self.storesPiecemeal { Interrupt.noteStoring() }
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

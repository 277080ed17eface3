import FakeBlueZ
import Synchronization
import TachogramCore

/// A fault in progress, while the clock is advanced.
final class SoakFaultRun: Sendable {
  private let outcome = Mutex<Result<Void, any Error>?>(nil)

  /// Starts `fault`.
  init(_ fault: SoakFault, to strap: FakeStrap, on fake: FakeBlueZ, time: any TimeSourceProtocol) {
    Task {
      let result: Result<Void, any Error>
      do {
        try await fault.happen(to: strap, on: fake, time: time)
        result = .success(())
      } catch {
        result = .failure(error)
      }
      self.outcome.withLock { $0 = result }
    }
  }

  /// Whether recovery may begin. Throws the error that prevented the fault.
  func isOver() throws -> Bool {
    guard let outcome = outcome.withLock({ $0 }) else { return false }
    try outcome.get()
    return true
  }
}

import ServiceLifecycle
import Synchronization

/// Runs several functions periodically until the station ends: they wake the machine together, and none waits for another that
/// takes longer.
struct PeriodicService: Service {
  /// The functions that are running.
  private final class Running: Sendable {
    private let numbers = Mutex<Set<Int>>([])

    func begin(_ number: Int) -> Bool { numbers.withLock { $0.insert(number).inserted } }

    func end(_ number: Int) { numbers.withLock { _ = $0.remove(number) } }
  }

  private let interval: Duration
  private let bodies: [@Sendable () async -> Void]

  init(interval: Duration, _ bodies: [@Sendable () async -> Void]) {
    self.interval = interval
    self.bodies = bodies
  }

  func run() async throws {
    let running = Running()
    try? await cancelWhenGracefulShutdown {
      try await withThrowingDiscardingTaskGroup { group in
        while true {
          for (number, body) in bodies.enumerated() where running.begin(number) {
            group.addTask {
              await body()
              running.end(number)
            }
          }
          try await Task.sleep(for: interval)
        }
      }
    }
  }
}

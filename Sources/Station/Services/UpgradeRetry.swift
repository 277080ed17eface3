import Repository
import ServiceLifecycle

/// Tries periodically to bring a database up to date that is held back, and restarts the station when it is.
struct UpgradeRetry: Service {
  static let interval: Duration = .seconds(900)

  private let path: String
  private let interval: Duration
  /// Restarts the station.
  private let restart: @Sendable () -> Void
  private let queue = QueryQueue.background()

  init(path: String, interval: Duration = Self.interval, restart: @escaping @Sendable () -> Void) {
    self.path = path
    self.interval = interval
    self.restart = restart
  }

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        try await Task.sleep(for: interval)
        let isDone = try? await queue.run { [path] in
          try TachogramDatabase.open(path: path).close()
          return true
        }
        if isDone == true { return restart() }
      }
    }
    // A service that ends would end the station.
    try await gracefulShutdown()
  }
}

import Repository
import ServiceLifecycle

/// Tries periodically to bring a database up to date that is held back, and restarts the station when it is.
struct UpgradeRetry: Service {
  static let interval: Duration = .seconds(900)
  /// The time between two looks at the disk, and the space in bytes that is enough to try again.
  static let spaceInterval: Duration = .seconds(10)
  static let leastSpace: UInt64 = 4_000_000

  private let path: String
  private let interval: Duration
  /// Whether to wait for a disk that is writable and has space. The database cannot be opened a second time without any.
  private let waitsForSpace: Bool
  /// Restarts the station.
  private let restart: @Sendable () -> Void
  private let queue = QueryQueue.background()

  init(
    path: String, interval: Duration? = nil, waitsForSpace: Bool = false, restart: @escaping @Sendable () -> Void
  ) {
    self.path = path
    self.interval = interval ?? (waitsForSpace ? Self.spaceInterval : Self.interval)
    self.waitsForSpace = waitsForSpace
    self.restart = restart
  }

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        try await Task.sleep(for: interval)
        let isDone = try? await queue.run { [path, waitsForSpace] in
          if waitsForSpace {
            guard (StorageFacts(database: path).freeBytes ?? .max) >= Self.leastSpace else { return false }
            return !StorageFacts.isReadOnly(database: path)
          }
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

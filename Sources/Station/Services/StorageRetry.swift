import FileSystem
import Repository
import ServiceLifecycle

/// Waits until a station can record into its database, and restarts it then.
struct StorageRetry: Service {
  /// The time between two attempts to bring a database up to date, and between two looks at the disk.
  static let updateInterval: Duration = .seconds(900)
  static let lookInterval: Duration = .seconds(10)
  /// The space in bytes that is enough to try again.
  static let leastSpace: UInt64 = 4_000_000

  private let reason: StationDatabases.Retry
  private let path: String
  private let interval: Duration
  private let restart: @Sendable () -> Void
  private let queue = QueryQueue.background()

  /// `path` is that of the database.
  init(
    _ reason: StationDatabases.Retry, database path: String, interval: Duration? = nil,
    restart: @escaping @Sendable () -> Void
  ) {
    self.reason = reason
    self.path = path
    self.interval = interval ?? (reason == .update ? Self.updateInterval : Self.lookInterval)
    self.restart = restart
  }

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        try await Task.sleep(for: interval)
        if (try? await queue.run(isOver)) == true { return restart() }
      }
    }
    // A service that ends would end the station.
    try await gracefulShutdown()
  }

  @Sendable private func isOver() throws -> Bool {
    switch reason {
    case .update: try TachogramDatabase.open(path: path).close()
    // The database cannot be opened a second time without space, and what is in memory is stored beside it first.
    case .space:
      guard (StorageFacts(database: path).freeBytes ?? .max) >= Self.leastSpace,
        !StorageFacts.isReadOnly(database: path)
      else { return false }
      return InterimLedger(database: path).canBeOpened
    case .otherFile(let file): return FileVersion(of: path) != file
    }
    return true
  }
}

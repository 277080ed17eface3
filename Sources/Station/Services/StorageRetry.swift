import FileSystem
import Repository
import ServiceLifecycle
import Sessions

/// Waits until a station can record into its database, and restarts it then.
struct StorageRetry: Service {
  /// The time between two attempts to bring a database up to date, and between two looks at the disk.
  static let updateInterval: Duration = .seconds(900)
  static let lookInterval: Duration = .seconds(10)
  /// The least space in bytes to try again.
  static let leastSpace: UInt64 = 4_000_000
  /// The space to try again, for each byte in memory: it is stored twice, each time with a log and the second time with what is derived
  /// from it. What does not fit would be lost.
  static let spacePerByte: UInt64 = 8

  private let reason: StationDatabases.Retry
  private let path: String
  private let copies: SnapshotFolder?
  /// The database in memory, if what is received is kept there.
  private let memory: TachogramDatabase?
  private let interval: Duration
  private let restart: @Sendable () -> Void
  private let queue = QueryQueue.background()

  /// `path` is that of the database, and `copies` are its verified copies.
  init(
    _ reason: StationDatabases.Retry, database path: String, copies: SnapshotFolder?, memory: TachogramDatabase?,
    interval: Duration? = nil, restart: @escaping @Sendable () -> Void
  ) {
    self.reason = reason
    (self.path, self.copies) = (path, copies)
    self.memory = reason == .space ? memory : nil
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
    case .update: try DatabaseOpening.open(path, copies: copies).close()
    // The database cannot be opened a second time without space, and what is in memory is stored beside it first.
    case .space:
      let needed = Self.leastSpace + Self.spacePerByte * UInt64(try memory?.contentSize() ?? 0)
      guard (StorageFacts(database: path).freeBytes ?? .max) >= needed,
        !StorageFacts.isReadOnly(database: path)
      else { return false }
      return InterimLedger(database: path).canBeOpened
    case .otherFile(let file): return FileVersion(of: path) != file
    }
    return true
  }
}

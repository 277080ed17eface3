import Dispatch
import Synchronization

/// The database of a sync server in PostgreSQL, over a few connections, each used by one thread at a time. A connection that
/// breaks is replaced; requests fail as unavailable until then.
package final class PostgreSQLDatabase: SyncDatabaseProtocol {
  private typealias Job = @Sendable (Result<PostgreSQLConnection, SyncStorageFailure>) -> Bool

  private struct State {
    var jobs: [Job] = []
    var idle: [PostgreSQLConnection] = []
    var workerCount = 0
    /// Whether the schema is known to be there.
    var isMigrated = false
    var isClosed = false
  }

  /// The maximum number of waiting requests.
  private static let mostJobs = 256
  private static let queue = DispatchQueue(label: "tachogram.postgresql", attributes: .concurrent)

  private let address: String
  private let connectionCount: Int
  private let state = Mutex(State())

  /// Creates a pool for an address such as `postgresql://user@host/database`. It connects when it is used.
  package init(_ address: String, connectionCount: Int = 4) {
    self.address = address
    self.connectionCount = max(1, connectionCount)
  }

  package func close() async {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    withExtendedLifetime(idle) {}
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SyncSQLProtocol) throws -> Value
  ) async throws(SyncStorageFailure) -> Value {
    try await run { connection in try body(connection) }
  }

  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SyncSQLProtocol) throws -> Value
  ) async throws(SyncStorageFailure) -> Value {
    try await run { connection in
      try connection.command("BEGIN")
      let value: Value
      do {
        value = try body(connection)
      } catch {
        try? connection.command("ROLLBACK")
        throw error
      }
      try connection.command("COMMIT")
      return value
    }
  }

  // MARK: - Workers

  /// Runs `body` on a connection that no other thread uses.
  private func run<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws(SyncStorageFailure) -> Value {
    let result: Result<Value, SyncStorageFailure> = await withCheckedContinuation { continuation in
      let job: Job = { connection in
        let result = connection.flatMap { connection in Self.result { try body(connection) } }
        let isUsable = (try? connection.get())?.isUsable ?? false
        continuation.resume(returning: result)
        return isUsable
      }
      let (isAccepted, startsWorker) = state.withLock { state in
        guard state.jobs.count < Self.mostJobs, !state.isClosed else { return (false, false) }
        state.jobs.append(job)
        guard state.workerCount < connectionCount else { return (true, false) }
        state.workerCount += 1
        return (true, true)
      }
      guard isAccepted else {
        return continuation.resume(returning: .failure(.unavailable(retryAfter: .seconds(1))))
      }
      if startsWorker { Self.queue.async { self.work() } }
    }
    return try result.get()
  }

  /// Does jobs until there are none.
  private func work() {
    var connection = state.withLock { $0.idle.popLast() }
    while let job = nextJob(&connection) {
      let opened: Result<PostgreSQLConnection, SyncStorageFailure> = connection.map { .success($0) } ?? open()
      if job(opened) {
        connection = try? opened.get()
      } else {
        connection = nil
        // After a restart of the server, the others are broken as well.
        let idle = state.withLock { state in
          defer { state.idle = [] }
          return state.idle
        }
        withExtendedLifetime(idle) {}
      }
    }
  }

  private func nextJob(_ connection: inout PostgreSQLConnection?) -> Job? {
    let current = connection
    return state.withLock { state in
      if !state.jobs.isEmpty { return state.jobs.removeFirst() }
      state.workerCount -= 1
      if let current, !state.isClosed { state.idle.append(current) }
      return nil
    }
  }

  private func open() -> Result<PostgreSQLConnection, SyncStorageFailure> {
    Self.result {
      let connection = try PostgreSQLConnection(self.address)
      if !self.state.withLock({ $0.isMigrated }) {
        try PostgreSQLSchema.migrate(connection)
        self.state.withLock { $0.isMigrated = true }
      }
      return connection
    }
  }

  private static func result<Value>(_ body: () throws -> Value) -> Result<Value, SyncStorageFailure> {
    do {
      return .success(try body())
    } catch let failure as SyncStorageFailure {
      return .failure(failure)
    } catch let error as PostgreSQLError {
      return .failure(error.failure)
    } catch {
      return .failure(.failed(code: "unknown"))
    }
  }
}

import GRDB

/// The database of a sync server in SQLite. It has one writer at a time.
package struct SQLiteDatabase: SyncDatabaseProtocol {
  private let pool: DatabasePool

  /// Opens the database, or makes it.
  package init(path: String) throws(SyncStorageFailure) {
    var configuration = Configuration()
    // Tokens are added by another process.
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      // What is acknowledged survives a power cut.
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    do {
      pool = try DatabasePool(path: path, configuration: configuration)
      guard try pool.read({ db in try !SQLiteSchema.migrator.hasBeenSuperseded(db) }) else {
        throw SyncStorageFailure.newerSchema
      }
      try SQLiteSchema.migrator.migrate(pool)
    } catch let failure as SyncStorageFailure {
      throw failure
    } catch let error as DatabaseError {
      throw .notOpened(reason: "\(path): \(error.message ?? "error \(error.resultCode.rawValue)")")
    } catch {
      throw .notOpened(reason: "\(path): \(error)")
    }
  }

  package func close() async { try? pool.close() }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SyncSQLProtocol) throws -> Value
  ) async throws(SyncStorageFailure) -> Value {
    do { return try await pool.read { db in try body(SQLiteConnection(db)) } } catch { throw Self.failure(error) }
  }

  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SyncSQLProtocol) throws -> Value
  ) async throws(SyncStorageFailure) -> Value {
    do { return try await pool.write { db in try body(SQLiteConnection(db)) } } catch { throw Self.failure(error) }
  }

  private static func failure(_ error: any Error) -> SyncStorageFailure {
    switch error {
    case let error as SyncStorageFailure: error
    case let error as DatabaseError:
      switch error.resultCode {
      case .SQLITE_FULL: .full
      case .SQLITE_BUSY, .SQLITE_LOCKED: .unavailable(retryAfter: .seconds(1))
      default: .failed(code: "\(error.extendedResultCode.rawValue)")
      }
    default: .unavailable(retryAfter: .seconds(1))
    }
  }
}

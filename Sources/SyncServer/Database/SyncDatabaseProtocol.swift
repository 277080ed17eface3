/// A database of a sync server.
package protocol SyncDatabaseProtocol: Sendable {
  /// Reads. Statements may see different states of the database.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SyncSQLProtocol) throws -> Value
  ) async throws(SyncStorageFailure) -> Value

  /// Changes all or nothing. When it returns, the changes are on the disk. If it throws `unavailable`, they may be.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SyncSQLProtocol) throws -> Value
  ) async throws(SyncStorageFailure) -> Value

  /// Closes the database once nothing uses it.
  func close() async
}

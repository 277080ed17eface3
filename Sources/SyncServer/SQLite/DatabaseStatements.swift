import GRDB

extension Database {
  /// Returns a prepared statement, which later calls with the same text use again.
  func cached(_ sql: String) throws -> Statement { try cachedStatement(sql: sql) }
}

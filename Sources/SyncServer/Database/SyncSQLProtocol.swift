/// A connection to a database, within a transaction if it writes. SQLite and PostgreSQL understand the same statements; `$1` and so on
/// stand for the values, each once and in their order.
package protocol SyncSQLProtocol {
  /// What ends a SELECT so that other writers wait for this transaction; empty where there is only one writer.
  var lock: String { get }

  /// Returns the rows of a statement.
  func rows(_ sql: String, _ values: [SyncSQLValue]) throws -> [[SyncSQLValue]]

  /// Executes a statement. Returns the number of rows that it changed.
  @discardableResult
  func run(_ sql: String, _ values: [SyncSQLValue]) throws -> Int
}

import GRDB
import GRDBSQLite

/// A prepared statement that is bound and stepped through SQLite's C interface, for tables with very many rows: about twice as
/// fast as `Statement.execute(arguments:)`, which builds and checks an array for each row.
///
/// GRDB's observations are not notified of its changes. It must not outlive the database access that created it.
struct RawStatement {
  /// Keeps the statement alive; the connection caches it by its text.
  private let statement: Statement

  private var pointer: SQLiteStatement { statement.sqliteStatement }

  init(_ db: Database, sql: String) throws {
    statement = try db.cachedStatement(sql: sql)
  }

  // MARK: - Binding, from index 1

  func bind(_ value: Int64, at index: Int32) throws {
    try check(sqlite3_bind_int64(pointer, index, value), SQLITE_OK)
  }

  func bind(_ value: Double, at index: Int32) throws {
    try check(sqlite3_bind_double(pointer, index, value), SQLITE_OK)
  }

  /// Binds a value, or null for `nil` and NaN, which SQLite does not store.
  func bind(_ value: Double?, at index: Int32) throws {
    guard let value else { return try bindNull(at: index) }
    try bind(value, at: index)
  }

  func bindNull(at index: Int32) throws {
    try check(sqlite3_bind_null(pointer, index), SQLITE_OK)
  }

  /// Binds a copy of the bytes as a blob.
  func bind(_ bytes: [UInt8], at index: Int32) throws {
    try bytes.withUnsafeBufferPointer { buffer in
      // A null pointer would bind null, but an empty notification is not null.
      let code =
        buffer.isEmpty
        ? sqlite3_bind_zeroblob(pointer, index, 0)
        : sqlite3_bind_blob(pointer, index, buffer.baseAddress, Int32(buffer.count), Self.copied)
      try check(code, SQLITE_OK)
    }
  }

  /// `SQLITE_TRANSIENT` of the C interface, a macro that Swift does not import.
  private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  // MARK: - Running

  /// Runs the statement, which returns no rows. Bindings are kept until they are replaced.
  func run() throws {
    defer { sqlite3_reset(pointer) }
    try check(sqlite3_step(pointer), SQLITE_DONE)
  }

  private func check(_ code: Int32, _ expected: Int32) throws {
    guard code != expected else { return }
    let message = sqlite3_errmsg(sqlite3_db_handle(pointer)).map { String(cString: $0) }
    throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
  }
}

import CPostgreSQL

/// A connection to PostgreSQL. Parameters and results are binary; statements are prepared once.
///
/// `@unchecked Sendable`: libpq allows a connection to be used by one thread at a time, which is the one that took it from the
/// pool.
final class PostgreSQLConnection: SyncSQLProtocol, @unchecked Sendable {
  /// The types of columns and parameters (`pg_type.oid`).
  private enum TypeID {
    static let boolean: Oid = 16
    static let bytes: Oid = 17
    static let int8: Oid = 20
    static let text: Oid = 25
  }

  /// Options that the address may replace. Without the last four, a dead link would block a thread for hours.
  private static let defaults: [(keyword: String, value: String)] = [
    ("application_name", "tachogram-sync-server"), ("connect_timeout", "5"), ("keepalives_idle", "10"),
    ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "20000"),
  ]
  private static let settings = """
    SET client_encoding = 'UTF8'; SET synchronous_commit = on; SET statement_timeout = '20s'; SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '30s'; SET default_transaction_isolation = 'read committed'
    """

  private let pg: tachogram_pg
  private let handle: OpaquePointer
  /// The names of prepared statements by their text.
  private var names: [String: String] = [:]

  /// Connects to an address such as `postgresql://user@host/database`. It blocks for some seconds at most for each of its hosts.
  init(_ address: String) throws(SyncStorageFailure) {
    guard let pg = PostgreSQLLibrary.functions else {
      throw .notOpened(reason: "libpq.so.5 cannot be used; install the package libpq5")
    }
    let options = Self.defaults + [(keyword: "dbname", value: address)]
    let connected = Self.withStrings(options.map(\.keyword)) { keywords in
      Self.withStrings(options.map(\.value)) { values in pg.connectdbParams(keywords, values, 1) }
    }
    guard let connected else { throw .disconnected(reason: "no memory") }
    (self.pg, handle) = (pg, connected)
    guard pg.status(connected) == TACHOGRAM_PG_CONNECTION_OK else {
      throw .disconnected(reason: Self.message(pg, connected))
    }
    tachogram_pg_silence(pg, connected)
    do { try command(Self.settings) } catch { throw error.failure }
  }

  deinit {
    pg.finish(handle)
  }

  /// Whether the connection is in order and outside a transaction.
  var isUsable: Bool {
    pg.status(handle) == TACHOGRAM_PG_CONNECTION_OK
      && pg.transactionStatus(handle) == TACHOGRAM_PG_IDLE
  }

  /// The reason why connecting failed, in one line. It names hosts and users, never passwords.
  private static func message(_ pg: tachogram_pg, _ handle: OpaquePointer) -> String {
    let text = pg.errorMessage(handle).map { String(cString: $0) } ?? ""
    return text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" } }.joined(separator: "; ")
  }

  // MARK: - Statements

  var lock: String { " FOR UPDATE" }

  /// Executes commands without parameters.
  func command(_ sql: String) throws(PostgreSQLError) {
    _ = try PostgreSQLResult(pg, pg.exec(handle, sql))
  }

  func rows(_ sql: String, _ values: [SyncSQLValue]) throws -> [[SyncSQLValue]] {
    let result = try execute(sql, values)
    return (0..<result.rowCount).map { row in
      (0..<result.columnCount).map { column in value(result, row, column) }
    }
  }

  func run(_ sql: String, _ values: [SyncSQLValue]) throws -> Int {
    try execute(sql, values).changedCount
  }

  private func execute(_ sql: String, _ values: [SyncSQLValue]) throws(PostgreSQLError) -> PostgreSQLResult {
    let name = try prepared(sql, values)
    let encoded = values.map(Self.encode)
    // One buffer for all values: an address of an array is valid during one call only.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.reduce(1) { $0 + ($1?.count ?? 0) })
    let offsets = encoded.map { value -> Int? in
      guard let value else { return nil }
      defer { bytes += value }
      return bytes.count
    }
    bytes.append(0)
    let lengths = encoded.map { Int32(clamping: $0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    let result = bytes.withUnsafeBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = offsets.map { offset in offset.flatMap { place in start.map { $0 + place } } }
      return pg.execPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1)
    }
    return try PostgreSQLResult(pg, result)
  }

  private func prepared(_ sql: String, _ values: [SyncSQLValue]) throws(PostgreSQLError) -> String {
    if let name = names[sql] { return name }
    let name = "s\(names.count)"
    _ = try PostgreSQLResult(pg, pg.prepare(handle, name, sql, Int32(values.count), values.map(Self.type)))
    names[sql] = name
    return name
  }

  // MARK: - Values

  /// The type of a parameter; 0 leaves it to the server.
  private static func type(_ value: SyncSQLValue) -> Oid {
    switch value {
    case .null: 0
    case .integer: TypeID.int8
    case .text: TypeID.text
    case .bytes: TypeID.bytes
    }
  }

  private static func encode(_ value: SyncSQLValue) -> [UInt8]? {
    switch value {
    case .null: nil
    case .integer(let integer): withUnsafeBytes(of: integer.bigEndian) { Array($0) }
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    }
  }

  private func value(_ result: borrowing PostgreSQLResult, _ row: Int, _ column: Int) -> SyncSQLValue {
    guard let bytes = result.bytes(row, column) else { return .null }
    switch result.type(column) {
    case TypeID.int8 where bytes.count == 8:
      return .integer(bytes.reduce(0) { $0 << 8 | Int64($1) })
    case TypeID.boolean: return .integer(bytes.first == 0 ? 0 : 1)
    case TypeID.text: return .text(String(decoding: bytes, as: UTF8.self))
    default: return .bytes(bytes)
    }
  }

  /// Calls `body` with texts of C and the null pointer that ends them.
  private static func withStrings<Result>(
    _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { text in
      let bytes = text.utf8CString
      let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
      _ = copy.initialize(from: bytes)
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    return body(copies.map { UnsafePointer($0.baseAddress) } + [nil])
  }
}

import GRDB
import Glibc

/// The database of sessions and stress: a connection pool on a file (WAL, group commit with synchronous=FULL), or a
/// database in memory. Reads work on a snapshot and never wait for the writer.
package struct TachogramDatabase: Sendable {
  /// The connections; for what the repositories do not offer.
  package let writer: any DatabaseWriter
  /// The path that errors name.
  package let path: String

  private let closed = ClosedFlag()

  private var translator: SQLiteErrorTranslator { SQLiteErrorTranslator(path: path) }

  /// A database over `writer`, whose schema is brought up to date unless it is read-only.
  package init(writer: any DatabaseWriter, path: String) throws(RepositoryError) {
    self.writer = writer
    self.path = path
    try read { db in try SchemaMigrator.validate(db, path: path) }
    if try read({ db in try SchemaMigrator.isUpToDate(db) }) { return }
    if writer.configuration.readonly { throw .olderSchema(path: path) }
    try migrate()
  }

  /// Brings the schema up to date. Another process that does the same at the same time is as good: a migration that
  /// fails because that process was faster is followed by those that are left.
  private func migrate() throws(RepositoryError) {
    var applied = try read { db in try SchemaMigrator.appliedCount(db) }
    while try !read({ db in try SchemaMigrator.isUpToDate(db) }) {
      do {
        try SchemaMigrator.migrator.migrate(writer)
      } catch {
        let now = try read { db in try SchemaMigrator.appliedCount(db) }
        guard now > applied else { throw translator.translate(error) }
        applied = now
      }
    }
  }

  // MARK: - Opening and closing

  /// Opens the database for reading and writing, and makes it (mode 0600: what is in it is personal), and the folders
  /// above it, where they are missing. `busyTimeout` is how long to wait for another process that writes.
  package static func open(
    path: String, busyTimeout: Duration = .seconds(5),
  ) throws(RepositoryError) -> TachogramDatabase {
    let file = DatabaseFile(path: path)
    try file.prepareForWriting()
    let deadline = ContinuousClock.now + busyTimeout
    while true {
      do throws(RepositoryError) {
        return try open(file, busyTimeout: busyTimeout)
      } catch {
        // Several processes that make the same database at once get in each other's way, which SQLite answers at once.
        guard error == .busy(path: file.path), ContinuousClock.now < deadline else { throw error }
        usleep(1_000)
      }
    }
  }

  private static func open(
    _ file: DatabaseFile, busyTimeout: Duration,
  ) throws(RepositoryError) -> TachogramDatabase {
    var configuration = Self.configuration(busyTimeout: busyTimeout)
    configuration.prepareDatabase { db in
      // Before anything is written, the switch to WAL included: a file of somebody else stays as it is.
      if db.configuration.readonly { return }
      // One state, while another process may be making the tables.
      try db.inTransaction(.deferred) {
        try SchemaMigrator.validate(db, path: file.path)
        return .commit
      }
    }
    do {
      let pool = try DatabasePool(path: file.path, configuration: configuration)
      // GRDB has set NORMAL, which may lose the last commits on a power cut.
      try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
      return try TachogramDatabase(writer: pool, path: file.path)
    } catch {
      throw SQLiteErrorTranslator(path: file.path).translate(error)
    }
  }

  /// Opens an existing database for reading, also beside a process that writes it. `busyTimeout` is how long to wait
  /// for a process that recovers it.
  package static func openReadOnly(
    path: String, busyTimeout: Duration = .seconds(5),
  ) throws(RepositoryError) -> TachogramDatabase {
    let file = DatabaseFile(path: path)
    try file.checkReadable()
    var configuration = Self.configuration(busyTimeout: busyTimeout)
    configuration.readonly = true
    do {
      let pool = try DatabasePool(path: file.path, configuration: configuration)
      return try TachogramDatabase(writer: pool, path: file.path)
    } catch {
      throw SQLiteErrorTranslator(path: file.path).translate(error)
    }
  }

  /// A database in memory, empty; gone when the last copy of this value is.
  package static func inMemory() throws(RepositoryError) -> TachogramDatabase {
    let path = ":memory:"
    do {
      let queue = try DatabaseQueue(configuration: configuration(busyTimeout: .zero))
      return try TachogramDatabase(writer: queue, path: path)
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
  }

  /// Closes all connections, for all copies of this value; the last one to a file moves the write-ahead log into it and
  /// deletes the log. Every later use throws `closed`.
  package func close() throws(RepositoryError) {
    // A queue that was closed must not be used; one in memory goes with the last copy.
    guard closed.set(), let pool = writer as? DatabasePool else { return }
    // GRDB closes the writer first, and readers leave the log where it is.
    pool.invalidateReadOnlyConnections()
    do { try pool.close() } catch { throw translator.translate(error) }
  }

  private static func configuration(busyTimeout: Duration) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(busyTimeout / .seconds(1))
    configuration.prepareDatabase { db in
      // What SQLite advises for files that somebody else may have touched (sqlite.org/security.html), deletions that
      // overwrite what they delete, and a log that shrinks again after a long import.
      try db.execute(
        sql: """
          PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON;
          PRAGMA secure_delete = ON;
          PRAGMA journal_size_limit = 4194304;
          """)
    }
    return configuration
  }

  // MARK: - Checking

  /// Reads a page of the file; throws what keeps it from being read.
  package func probe() throws(RepositoryError) {
    try checkOpen()
    do {
      try writer.read { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
    } catch {
      throw translator.translate(error)
    }
  }

  /// What is wrong with the file, a line for each finding: damaged pages and indexes, values that the schema forbids,
  /// rows that refer to nothing. Empty when all is well. Reads the whole database.
  package func checkIntegrity() throws(RepositoryError) -> [String] {
    try checkOpen()
    // Each check is one statement with a snapshot of its own; a transaction around them could not end after damage.
    do { return try writer.unsafeRead(Self.findings) } catch { throw translator.translate(error) }
  }

  private static func findings(_ db: Database) throws -> [String] {
    var findings: [String] = []
    do {
      let lines = try String.fetchCursor(db, sql: "PRAGMA integrity_check")
      while let line = try lines.next() {
        if line != "ok" { findings.append(line) }
      }
      let rows = try Row.fetchCursor(db, sql: "SELECT \"table\", parent FROM pragma_foreign_key_check")
      while let row = try rows.next() {
        let reader = RowReader(row: row)
        findings.append("a row of \(try reader.text(0)) refers to a row of \(try reader.text(1)) that is not there")
      }
    } catch ResultCode.SQLITE_CORRUPT {
      findings.append("so damaged that the check could not be finished")
    }
    return findings
  }

  // MARK: - Reading and writing

  /// Reads from a snapshot.
  func read<Value>(_ body: (Database) throws -> Value) throws(RepositoryError) -> Value {
    try checkOpen()
    do { return try writer.read(body) } catch { throw translator.translate(error) }
  }

  /// Writes in one transaction, which is rolled back when `body` throws.
  func write<Value>(_ body: (Database) throws -> Value) throws(RepositoryError) -> Value {
    try checkOpen()
    do { return try writer.write(body) } catch { throw translator.translate(error) }
  }

  /// Reads from a snapshot without blocking the calling task. Throws `RepositoryError` or `CancellationError`.
  func asyncRead<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try checkOpen()
    do { return try await writer.read(body) } catch { throw translated(error) }
  }

  /// Writes in one transaction without blocking the calling task. Throws `RepositoryError` or `CancellationError`.
  func asyncWrite<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try checkOpen()
    do { return try await writer.write(body) } catch { throw translated(error) }
  }

  private func translated(_ error: any Error) -> any Error {
    error is CancellationError ? error : translator.translate(error)
  }

  private func checkOpen() throws(RepositoryError) {
    if closed.isSet { throw .closed(path: path) }
  }
}

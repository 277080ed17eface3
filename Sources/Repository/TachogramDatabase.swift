import GRDB
import Synchronization

/// The database of sessions and stress: a connection pool on a file (WAL, group commit with synchronous=FULL), or a
/// database in memory. Reads work on a snapshot and never wait for the writer.
package struct TachogramDatabase: Sendable {
  /// The connections; for what the repositories do not offer.
  package let writer: any DatabaseWriter
  /// The path of a database in memory.
  static let memory = ":memory:"

  /// The path that errors name.
  package let path: String

  private let hold: DatabaseHold
  /// `nil` for a database in memory or one that is only read.
  var lock: DatabaseLock? { hold.lock }

  /// What is known of the sessions while one transaction after the other computes trends; for use within these.
  func withSessionSpans(_ body: (inout SessionSpans) throws -> Void) throws {
    try hold.sessionSpans.withLock { spans in try body(&spans) }
  }

  /// How many processes that record into the database did not store what they held when it was opened: what they heard in the
  /// last seconds may be missing.
  package var silentRecorders: Int { hold.silentRecorders.load(ordering: .relaxed) }

  func noteSilentRecorders(_ count: Int) { hold.silentRecorders.store(count, ordering: .relaxed) }

  private var translator: SQLiteErrorTranslator { SQLiteErrorTranslator(path: path) }

  /// A database over `writer`, whose schema is brought up to date. `lock` is released when it is
  /// closed. `beforeMigration` is called with a database that holds something and is of an older version, before it is changed.
  package init(
    writer: any DatabaseWriter, path: String, lock: DatabaseLock? = nil,
    beforeMigration: (TachogramDatabase) -> Void = { _ in },
  ) throws(RepositoryError) {
    self.writer = writer
    self.path = path
    hold = DatabaseHold(path: path, lock: lock)
    try read { db in try SchemaMigrator.validate(db, path: path) }
    if try read({ db in try SchemaMigrator.isUpToDate(db) }) { return }
    if try read({ db in try SchemaMigrator.appliedCount(db) }) > 0 { beforeMigration(self) }
    try migrate()
  }

  /// A database that is only read, over a connection of its own. `atEnd` is called when that is closed.
  init(
    reading queue: DatabaseQueue, path: String, acceptsOlder: Bool, atEnd: @escaping @Sendable () -> Void,
  ) throws(RepositoryError) {
    writer = queue
    self.path = path
    hold = DatabaseHold(path: path)
    self.atEnd(atEnd)
    try read { db in try SchemaMigrator.validate(db, path: path) }
    if acceptsOlder {
      guard try read({ db in try SchemaMigrator.appliedCount(db) }) > 0 else { throw .emptyCopy(path: path) }
      return
    }
    guard try read({ db in try SchemaMigrator.isUpToDate(db) }) else { throw .olderSchema(path: path) }
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
  /// above it, where they are missing. It is locked for `use` until it is closed or the last copy of this value is gone.
  /// `busyTimeout` is how long to wait for another process that writes. Throws `locked`, `inUseByRecorder` or `inUseByWriter`
  /// where the lock is refused. `keepsEmpty`: whether one that this call makes, and into which nothing is stored until it is
  /// closed or the last copy of this value is gone, stays; it does where another process uses it. `beforeMigration` is called
  /// before one of an older version is changed.
  package static func open(
    path: String, for use: DatabaseLock.Use = .writing, busyTimeout: Duration = .seconds(5), keepsEmpty: Bool = true,
    beforeMigration: @escaping (TachogramDatabase) -> Void = { _ in },
  ) throws(RepositoryError) -> TachogramDatabase {
    try DatabaseOpener(path: path, busyTimeout: busyTimeout, beforeMigration: beforeMigration)
      .open(for: use, keepsEmpty: keepsEmpty)
  }

  /// Opens an existing database for reading, also beside a process that writes it or puts another in its place: what is read
  /// is that of the file that was there when it was opened. `busyTimeout` is how long to wait for a process that recovers it.
  package static func openReadOnly(
    path: String, busyTimeout: Duration = .seconds(5),
  ) throws(RepositoryError) -> TachogramDatabase {
    try DatabaseOpener(path: path, busyTimeout: busyTimeout).openReadOnly(isCopy: false)
  }

  /// Opens a copy of a database for reading, of whatever version up to this one: to be checked and copied as it is. When it
  /// is closed nothing is beside it that was not there before.
  package static func openCopy(path: String) throws(RepositoryError) -> TachogramDatabase {
    try DatabaseOpener(path: path, busyTimeout: .seconds(5)).openReadOnly(isCopy: true)
  }

  /// A database in memory, empty; gone when the last copy of this value is.
  package static func inMemory() throws(RepositoryError) -> TachogramDatabase {
    let path = memory
    do {
      let queue = try DatabaseQueue(configuration: DatabaseOpener.configuration(busyTimeout: .zero))
      return try TachogramDatabase(writer: queue, path: path)
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
  }

  /// Closes all connections, for all copies of this value; the last one to a file moves the write-ahead log into it and
  /// deletes the log. Every later use throws `closed`. Throws `replaced` where the file that was written to has lost its name
  /// meanwhile: what was stored is not in the one that has it.
  package func close() throws(RepositoryError) {
    guard hold.close() else { return }
    defer { hold.lock?.release() }
    do {
      if path != Self.memory { try Self.closeConnections(of: writer) }
    } catch {
      throw translator.translate(error)
    }
    // The log has left its room.
    renewReserve()
    let isReplaced = hold.isReplaced
    if !isReplaced { hold.end() }
    if isReplaced { throw .replaced(path: path) }
  }

  private static func closeConnections(of writer: any DatabaseWriter) throws {
    // GRDB closes the writer first, and readers leave the log where it is.
    (writer as? DatabasePool)?.invalidateReadOnlyConnections()
    try writer.close()
  }

  /// Calls `body` when the connections are closed, also where nobody closes them.
  func atEnd(_ body: @escaping @Sendable () -> Void) {
    hold.setEnd { [writer] in
      try? Self.closeConnections(of: writer)
      body()
    }
  }

  /// Closes the connections of a database that was made with `keepsEmpty: false`, from whatever thread, and deletes it where
  /// nothing is stored in it: for the end of a process whose other threads do not come to theirs. Waits for a transaction that
  /// is under way. Does not keep the database.
  package var abandoning: @Sendable () -> Void { { [weak hold] in hold?.end() } }

  /// Whether no other process recorded into the database when this one opened it for recording.
  package var isOnlyRecorder: Bool { hold.lock?.isAlone ?? false }

  /// Occupies some room of the disk, as far as it has enough, for the next deletion.
  func keepReserve() {
    hold.lock?.keepReserve()
  }

  /// Gives the room to a deletion that finds no other, until `renewReserve`, or until the database is closed.
  package func releaseReserve() { hold.lock?.releaseReserve() }

  /// Occupies the room again at the end of a deletion, also where it leaves hardly any.
  package func renewReserve() { hold.lock?.renewReserve() }

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

  /// What is missing in the schema, or is not as the version made it that the database is of, a line each.
  package func checkSchema() throws(RepositoryError) -> [String] {
    try read { db in try SchemaMigrator.findings(db) }
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
    do {
      let value = try writer.write(body)
      keepReserve()
      return value
    } catch {
      throw translator.translate(error)
    }
  }

  /// Reads from a snapshot without blocking the calling task. Throws `RepositoryError` or `CancellationError`.
  func asyncRead<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try checkOpen()
    do { return try await writer.read(body) } catch { throw translated(error) }
  }

  /// Writes in one transaction without blocking the calling task. Throws `RepositoryError` or `CancellationError`.
  func asyncWrite<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try checkOpen()
    do {
      let value = try await writer.write(body)
      keepReserve()
      return value
    } catch {
      throw translated(error)
    }
  }

  private func translated(_ error: any Error) -> any Error {
    error is CancellationError ? error : translator.translate(error)
  }

  private func checkOpen() throws(RepositoryError) {
    if hold.isClosed { throw .closed(path: path) }
  }
}

import GRDB
import Synchronization

/// The database of sessions and stress: a connection pool on a file (WAL, group commit with synchronous=FULL), or a
/// database in memory. Reads work on a snapshot and never wait for the writer.
package struct TachogramDatabase: Sendable {
  /// The connections, for accesses that the repositories do not offer.
  package let writer: any DatabaseWriter
  /// The path for errors.
  package let path: String

  /// Whether it is in memory, without a file.
  package let isInMemory: Bool
  /// Why the file that a database in memory stands for cannot be read, or `nil`. Each access throws it.
  private let absence: RepositoryError?
  /// Whether it was opened to be read until it can be written.
  private let isReadOnly: Bool

  /// Whether the schema is older than this program's, so that the database can only be read.
  package let isOlder: Bool

  /// Whether it can be read and written.
  package var isWritable: Bool { !isReadOnly && isAvailable }

  /// Whether it can be read.
  package var isAvailable: Bool { absence == nil }

  private let hold: DatabaseHold
  /// The lock, or `nil` for a database in memory or one opened for reading.
  var lock: DatabaseLock? { hold.lock }

  /// Calls `body` with the cached spans of sessions, which consecutive transactions that compute trends share.
  func withSessionSpans(_ body: (inout SessionSpans) throws -> Void) throws {
    try hold.sessionSpans.withLock { spans in try body(&spans) }
  }

  /// The number of recording processes that did not store their pending data when the database was opened: notifications of the
  /// last seconds may be missing.
  package var silentRecorders: Int { hold.silentRecorders.load(ordering: .relaxed) }

  func noteSilentRecorders(_ count: Int) { hold.silentRecorders.store(count, ordering: .relaxed) }

  private var translator: SQLiteErrorTranslator { SQLiteErrorTranslator(path: path) }

  /// Creates a database over `writer`, and brings its schema up to date. `lock` is released when it is closed.
  /// `beforeMigration` is called with a database of an older version that contains data, before it is changed.
  package init(
    writer: any DatabaseWriter, path: String, isInMemory: Bool = false, absence: RepositoryError? = nil,
    lock: DatabaseLock? = nil, beforeMigration: (TachogramDatabase) -> Void = { _ in },
  ) throws(RepositoryError) {
    self.writer = writer
    self.path = path
    self.isInMemory = isInMemory
    self.absence = absence
    isOlder = false
    isReadOnly = false
    hold = DatabaseHold(path: path, lock: lock)
    if absence != nil { return }
    try read { db in try SchemaMigrator.validate(db, path: path) }
    if try read({ db in try SchemaMigrator.isUpToDate(db) }) { return }
    let wasMade = try read { db in try SchemaMigrator.appliedCount(db) } > 0
    if wasMade { beforeMigration(self) }
    do throws(RepositoryError) {
      try migrate()
    } catch {
      throw wasMade ? Self.failedUpdate(error, path: path) : error
    }
  }

  /// How a database with an older schema is read.
  enum OlderReading: Hashable, Sendable {
    /// It is not opened.
    case refused
    /// With its own tables and columns, as for copying it.
    case asStored
    /// With those of this program, see `OlderSchema`.
    case completed
  }

  /// Creates a database for reading, over its own connection. `atEnd` is called when it is closed.
  init(
    reading queue: DatabaseQueue, path: String, older: OlderReading, atEnd: @escaping @Sendable () -> Void,
  ) throws(RepositoryError) {
    writer = queue
    self.path = path
    isInMemory = false
    absence = nil
    isReadOnly = older == .completed
    let translator = SQLiteErrorTranslator(path: path)
    do {
      try queue.read { db in try SchemaMigrator.validate(db, path: path) }
      isOlder = try queue.read { db in try !SchemaMigrator.isUpToDate(db) }
    } catch {
      try? queue.close()
      atEnd()
      throw translator.translate(error)
    }
    hold = DatabaseHold(path: path)
    self.atEnd(atEnd)
    guard isOlder else { return }
    guard older != .refused else { throw .olderSchema(path: path) }
    guard try read({ db in try SchemaMigrator.appliedCount(db) }) > 0 else { throw .emptyCopy(path: path) }
    guard older == .completed else { return }
    do {
      try queue.writeWithoutTransaction { db in try OlderSchema(db: db).complete() }
    } catch {
      throw translator.translate(error)
    }
  }

  /// Brings the schema up to date, completely or not at all.
  private func migrate() throws(RepositoryError) {
    do {
      try writer.barrierWriteWithoutTransaction { db in try SchemaMigrator.migrate(db) }
    } catch {
      throw translator.translate(error)
    }
  }

  /// Returns the error for a database of an older version that could not be brought up to date because of `cause`.
  private static func failedUpdate(_ cause: RepositoryError, path: String) -> RepositoryError {
    switch cause {
    case .full, .inputOutput, .contradiction, .engine: .notMigrated(path: path, cause: cause)
    default: cause
    }
  }

  // MARK: - Opening and closing

  /// Opens the database for reading and writing, and creates it (mode 0600, since the data is personal) and its folders if they
  /// do not exist. It is locked for `use` until it is closed or the last copy of this value is deinitialised. `busyTimeout` is
  /// how long to wait for another writing process. Throws `locked`, `inUseByRecorder` or `inUseByWriter` if the lock is
  /// refused. `keepsEmpty` is whether a database that this call creates is kept if nothing is stored in it; one that another
  /// process uses is always kept. `beforeMigration` is called before a database of an older version is changed.
  package static func open(
    path: String, for use: DatabaseLock.Use = .writing, busyTimeout: Duration = .seconds(5), keepsEmpty: Bool = true,
    beforeMigration: @escaping (TachogramDatabase) -> Void = { _ in },
  ) throws(RepositoryError) -> TachogramDatabase {
    try DatabaseOpener(path: path, busyTimeout: busyTimeout, beforeMigration: beforeMigration)
      .open(for: use, keepsEmpty: keepsEmpty)
  }

  /// Opens an existing database for reading, also while another process writes or replaces it: the file that exists at this
  /// time is read. `busyTimeout` is how long to wait for a process that recovers it.
  package static func openReadOnly(
    path: String, busyTimeout: Duration = .seconds(5),
  ) throws(RepositoryError) -> TachogramDatabase {
    try DatabaseOpener(path: path, busyTimeout: busyTimeout).openReadOnly(isCopy: false)
  }

  /// Opens an existing database that could not be brought up to date, for reading, see `openReadOnly`. Its values that are newer
  /// than its schema are missing. Writing throws `heldBack`.
  package static func openHeldBack(
    path: String, busyTimeout: Duration = .seconds(5)
  ) throws(RepositoryError) -> TachogramDatabase {
    try DatabaseOpener(path: path, busyTimeout: busyTimeout).openReadOnly(isCopy: false, older: .completed)
  }

  /// Opens a copy of a database of any version up to this one, for checking and copying. Closing it leaves no additional files
  /// beside it.
  package static func openCopy(path: String) throws(RepositoryError) -> TachogramDatabase {
    try DatabaseOpener(path: path, busyTimeout: .seconds(5)).openReadOnly(isCopy: true)
  }

  /// Opens a copy as `openCopy` does, for reading its sessions: values that are newer than its schema are missing.
  package static func openSessions(ofCopy path: String) throws(RepositoryError) -> TachogramDatabase {
    try DatabaseOpener(path: path, busyTimeout: .seconds(5)).openReadOnly(isCopy: true, older: .completed)
  }

  /// Opens a copy that is not in place yet and that no other process knows, for writing, without a log or a lock, and brings its
  /// schema up to date.
  package static func openUnplaced(copy path: String) throws(RepositoryError) -> TachogramDatabase {
    do {
      var configuration = DatabaseOpener.configuration(busyTimeout: .zero)
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
      return try TachogramDatabase(writer: DatabaseQueue(path: path, configuration: configuration), path: path)
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
  }

  /// Deletes a database that no other process uses, with the files beside it. Throws `locked`, `inUseByRecorder` or
  /// `inUseByWriter` if one does.
  package static func delete(path: String) throws(RepositoryError) {
    let lock = try DatabaseLock(database: path, for: .exclusive)
    DatabaseFile(path: path).discard()
    lock.remove()
  }

  /// Creates an empty database in memory. It is deleted with the last copy of this value.
  package static func inMemory() throws(RepositoryError) -> TachogramDatabase {
    try inMemory(path: ":memory:", absence: nil)
  }

  /// Creates what stands for a database that cannot be read now: each access throws `unavailable`.
  package static func unavailable(
    path: String, _ cause: RepositoryError
  ) throws(RepositoryError) -> TachogramDatabase {
    try inMemory(path: path, absence: .unavailable(path: path, cause: cause))
  }

  private static func inMemory(path: String, absence: RepositoryError?) throws(RepositoryError) -> TachogramDatabase {
    do {
      let queue = try DatabaseQueue(configuration: DatabaseOpener.configuration(busyTimeout: .zero))
      return try TachogramDatabase(writer: queue, path: path, isInMemory: true, absence: absence)
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
  }

  /// Closes all connections, for all copies of this value. The last connection to a file moves the write-ahead log into it and
  /// deletes the log. Later uses throw `closed`. Throws `replaced` if the file has lost its name, so that the stored data is
  /// not in the file of that name.
  package func close() throws(RepositoryError) {
    guard hold.close() else { return }
    defer { hold.lock?.release() }
    do {
      if !isInMemory { try Self.closeConnections(of: writer) }
    } catch {
      throw translator.translate(error)
    }
    // The log was truncated.
    renewReserve()
    let isReplaced = hold.isReplaced
    if !isReplaced { hold.end() }
    if isReplaced { throw .replaced(path: path) }
  }

  private static func closeConnections(of writer: any DatabaseWriter) throws {
    // GRDB closes the writer first, and readers do not checkpoint the log.
    (writer as? DatabasePool)?.invalidateReadOnlyConnections()
    try writer.close()
  }

  /// Calls `body` when the connections are closed, explicitly or by deinitialisation.
  func atEnd(_ body: @escaping @Sendable () -> Void) {
    hold.setEnd { [writer] in
      try? Self.closeConnections(of: writer)
      body()
    }
  }

  /// A function that closes the connections of a database created with `keepsEmpty: false`, from any thread, and deletes it if
  /// nothing is stored in it: for the end of a process whose other threads are not joined. Waits for a running transaction.
  /// Does not retain the database.
  package var abandoning: @Sendable () -> Void { { [weak hold] in hold?.end() } }

  /// Whether no other process recorded into the database when this one opened it for recording. Nobody else records into memory.
  package var isOnlyRecorder: Bool { hold.lock?.isAlone ?? isInMemory }

  /// Allocates the reserve for the next deletion, if the disk has enough space.
  func keepReserve() {
    hold.lock?.keepReserve()
  }

  /// Releases the reserve for a deletion without other space, until `renewReserve` is called or the database is closed.
  package func releaseReserve() { hold.lock?.releaseReserve() }

  /// Allocates the reserve at the end of a deletion, even if little space is left.
  package func renewReserve() { hold.lock?.renewReserve() }

  // MARK: - Checking

  /// Reads a page of the file. Throws the error that prevents it.
  package func probe() throws(RepositoryError) {
    try checkOpen()
    do {
      try writer.read { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
    } catch {
      throw translator.translate(error)
    }
  }

  /// Returns the damage of the file, a line for each finding: damaged pages and indexes, values that the schema forbids, rows
  /// that refer to nothing. Empty if there is none. Reads the whole database.
  package func checkIntegrity() throws(RepositoryError) -> [String] {
    try checkOpen()
    // Each check is one statement with its own snapshot. A transaction around all of them could not end after damage.
    do { return try writer.unsafeRead(Self.findings) } catch { throw translator.translate(error) }
  }

  /// Returns the differences between the schema and that of the database's version, a line each.
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

  /// Writes in one transaction, which is rolled back if `body` throws.
  func write<Value>(_ body: (Database) throws -> Value) throws(RepositoryError) -> Value {
    try checkWritable()
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
    try checkWritable()
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

  /// Throws `heldBack` if the database can only be read.
  package func checkWritable() throws(RepositoryError) {
    try checkOpen()
    if isReadOnly { throw .heldBack(path: path) }
  }

  private func checkOpen() throws(RepositoryError) {
    if hold.isClosed { throw .closed(path: path) }
    if let absence { throw absence }
  }
}

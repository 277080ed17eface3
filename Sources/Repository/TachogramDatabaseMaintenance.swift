import GRDB
import Glibc

extension TachogramDatabase {
  /// Runs `body` while no other process does the same with this database, because two imports of one recording must not both
  /// find that it is not stored. Waits for others until `isStopped`, then throws `locked`. Also throws the error of `body`.
  package func storing<Value>(isStopped: () -> Bool, _ body: () throws -> Value) throws -> Value {
    guard let lock else { return try body() }
    return try lock.storing(database: path, isStopped: isStopped, body)
  }

  /// The infix of the names of databases that a copy replaced.
  package static let aside = DatabaseFile.aside

  /// The suffix of an incomplete copy.
  package static let unfinished = ".part"

  /// Returns the number of applied migrations, which is the version of the schema.
  package func schemaVersion() throws(RepositoryError) -> Int { try read { db in try SchemaMigrator.appliedCount(db) } }

  /// Moves the write-ahead log into the file and truncates it, so that it contains no deleted data.
  ///
  /// - Returns: Whether it is empty; `false` if another connection reads from it.
  @discardableResult
  package func emptyLog() throws(RepositoryError) -> Bool { try checkpoint(.truncate) }

  /// Moves the write-ahead log into the file.
  ///
  /// - Returns: Whether all of it was moved, so that the log can start over; `false` if another connection reads from it.
  func checkpoint(_ mode: Database.CheckpointMode) throws(RepositoryError) -> Bool {
    if isInMemory { return true }
    do {
      try writer.writeWithoutTransaction { db in _ = try db.checkpoint(mode) }
      return true
    } catch ResultCode.SQLITE_BUSY, ResultCode.SQLITE_LOCKED {
      return false
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
  }

  /// Throws an error if a copy must not replace the file at `path`. A missing, damaged or unreadable database may be replaced,
  /// but not a file of another program or one with several names. Creates nothing.
  package static func checkReplaceable(path: String) throws(RepositoryError) {
    let file = DatabaseFile(path: path)
    try file.checkSoleName()
    do {
      try file.check()
    } catch {
      switch error {
      case .notAFile, .madeByKernel, .unreachable, .otherDatabase: throw error
      default: return
      }
    }
  }

  /// Throws an error if the file at `path` belongs to another program. Creates nothing.
  package static func checkOwn(path: String) throws(RepositoryError) {
    let file = DatabaseFile(path: path)
    do {
      try file.check()
    } catch .missing {
      return
    }
  }

  /// Throws `emptied` if the file at `path` is empty, although `copies` has copies of it, or although there is a log beside it, which
  /// SQLite would delete. A file that another process has just created is waited for.
  package static func checkNotEmptied(path: String, copies: SnapshotFolder) throws(RepositoryError) {
    let end = ContinuousClock.now + .seconds(1)
    while isEmpty(path: path), DatabaseFile(path: path).hasLog || !copies.snapshots().isEmpty {
      guard ContinuousClock.now < end else { throw .emptied(path: path, copies: copies.path) }
      usleep(20_000)
    }
  }

  /// Whether there is a file at `path` that is empty.
  package static func isEmpty(path: String) -> Bool { DatabaseFile(path: path).isEmpty }

  /// Creates the folders above `path` with mode 0700 if they do not exist.
  package static func makeFolder(for path: String) throws(RepositoryError) { try DatabaseFile(path: path).makeFolder() }

  /// Moves the log of a database of any version, which no process has open, into its file. SQLite discards a log without valid
  /// contents.
  package static func foldLog(path: String) throws(RepositoryError) {
    do {
      var configuration = Configuration()
      if FreeSpace(at: path)?.endangersSharedMemory ?? false {
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      }
      let queue = try DatabaseQueue(path: DatabaseFile(path: path).path, configuration: configuration)
      try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      try queue.close()
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
  }

  /// Rewrites the database without the space of deleted rows, and truncates the log. Takes as long as copying it, and blocks
  /// other writers. Throws `busy` if the log cannot be truncated because of a reader.
  package func vacuum() throws(RepositoryError) {
    do {
      try writer.vacuum()
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
    guard try emptyLog() else { throw .busy(path: path) }
  }

  /// Copies the current state of the database while it is in use, checks the copy, and renames it to `copy` only if it is
  /// complete and undamaged. A previous file at `copy` is replaced.
  ///
  /// - Returns: The damage of the copy; empty if it was kept.
  package func snapshot(to copy: String) throws(RepositoryError) -> [String] {
    let temporary = copy + Self.unfinished
    func removeTemporary() {
      for suffix in [""] + DatabaseFile.companions { unlink(temporary + suffix) }
    }
    removeTemporary()
    defer { removeTemporary() }
    do {
      var configuration = Configuration()
      configuration.journalMode = .default
      // The copy is in WAL mode at first, as its source is. It does without shared memory, for which the disk may have no space.
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      // It is closed before it is renamed, so that no log is left beside it.
      _ = try DatabaseFile(path: temporary).make()
      let queue = try DatabaseQueue(path: temporary, configuration: configuration)
      try writer.backup(to: queue)
      try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()
    } catch {
      throw SQLiteErrorTranslator(path: temporary).translate(error)
    }
    let copied = try TachogramDatabase.openCopy(path: temporary)
    let findings = try copied.checkIntegrity()
    try copied.close()
    guard findings.isEmpty else { return findings }
    guard Self.synchronise(temporary), rename(temporary, copy) == 0 else {
      let code = errno
      throw SystemError.error(code, at: copy, else: .fileNotCreated(path: copy, errno: code))
    }
    return []
  }

  private static func synchronise(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    return fsync(descriptor) == 0
  }

  /// Returns the number of unused bytes in the file, which are used before it grows.
  package func unusedBytes() throws(RepositoryError) -> Int64 {
    try bytes(ofPages: "PRAGMA freelist_count")
  }

  /// The size of the contents, in bytes, wherever they are: also of a database in memory.
  package func contentSize() throws(RepositoryError) -> Int64 {
    try bytes(ofPages: "PRAGMA page_count")
  }

  private func bytes(ofPages pragma: String) throws(RepositoryError) -> Int64 {
    try read { db in
      try (Int64.fetchOne(db, sql: pragma) ?? 0) * (Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }

  /// The size of the file and its log, in bytes.
  package var size: Int64 {
    ["", "-wal"].reduce(0) { sum, suffix in
      var status = stat()
      return stat(path + suffix, &status) == 0 ? sum + Int64(status.st_size) : sum
    }
  }
}

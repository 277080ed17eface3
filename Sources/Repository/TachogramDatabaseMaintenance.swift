import GRDB
import Glibc

extension TachogramDatabase {
  /// Runs `body` while no other process does the same with this database: two imports of one recording must not both find that
  /// it is not stored. Waits for others until `isStopped`, and throws `locked` then, or what `body` throws.
  package func storing<Value>(isStopped: () -> Bool, _ body: () throws -> Value) throws -> Value {
    guard let lock else { return try body() }
    return try lock.storing(database: path, isStopped: isStopped, body)
  }

  /// What follows the name of a database in that of one that a copy took the place of.
  package static let aside = DatabaseFile.aside

  /// What the name of a copy ends with until it is whole.
  package static let unfinished = ".part"

  /// Moves the write-ahead log into the file and empties it, so that nothing that was deleted is left in it.
  ///
  /// - Returns: Whether it is empty; `false` when somebody reads what is in it.
  @discardableResult
  package func emptyLog() throws(RepositoryError) -> Bool { try checkpoint(.truncate) }

  /// Moves the write-ahead log into the file.
  ///
  /// - Returns: Whether all of it is there, so that the log can begin anew; `false` when somebody reads what is in it.
  func checkpoint(_ mode: Database.CheckpointMode) throws(RepositoryError) -> Bool {
    if path == Self.memory { return true }
    do {
      try writer.writeWithoutTransaction { db in _ = try db.checkpoint(mode) }
      return true
    } catch ResultCode.SQLITE_BUSY, ResultCode.SQLITE_LOCKED {
      return false
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
  }

  /// Checks that a copy may take the place of what is at `path`: of nothing, or of a file that is no other program's database;
  /// one that is damaged or cannot be read may be replaced, one with several names may not. Makes nothing.
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

  /// Checks that what is at `path`, if anything is, is no other program's file. Makes nothing.
  package static func checkOwn(path: String) throws(RepositoryError) {
    let file = DatabaseFile(path: path)
    do {
      try file.check()
    } catch .missing {
      return
    }
  }

  /// Makes the folders above `path`, mode 0700, where they are missing.
  package static func makeFolder(for path: String) throws(RepositoryError) { try DatabaseFile(path: path).makeFolder() }

  /// Moves what is in the log of a database that nobody has open into its file, whatever version it is of. SQLite drops a log
  /// in which it finds nothing valid.
  package static func foldLog(path: String) throws(RepositoryError) {
    do {
      let queue = try DatabaseQueue(path: DatabaseFile(path: path).path)
      try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      try queue.close()
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
  }

  /// Writes the database anew, without the room that deleted rows left, and empties the log; takes as long as copying it, and
  /// nobody can write meanwhile. Throws `busy` when the log cannot be emptied for somebody who reads.
  package func vacuum() throws(RepositoryError) {
    do {
      try writer.vacuum()
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
    guard try emptyLog() else { throw .busy(path: path) }
  }

  /// Copies the database as it is now, while it is written to, checks the copy, and gives it its name only when it is
  /// whole and sound. What was at `copy` is replaced.
  ///
  /// - Returns: What is wrong with the copy; empty when it was kept.
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
      // Closed before it gets its name: a log beside it would be left behind.
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

  /// The bytes of the file that hold nothing and are used before it grows.
  package func unusedBytes() throws(RepositoryError) -> Int64 {
    try read { db in
      let pages = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
      return try pages * (Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }

  /// The bytes of the file and of its log.
  package var size: Int64 {
    ["", "-wal"].reduce(0) { sum, suffix in
      var status = stat()
      return stat(path + suffix, &status) == 0 ? sum + Int64(status.st_size) : sum
    }
  }
}

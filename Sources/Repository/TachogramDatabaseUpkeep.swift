import GRDB
import Glibc

extension TachogramDatabase {
  /// Moves the write-ahead log into the file and empties it, so that nothing that was deleted is left in it.
  package func emptyLog() throws(RepositoryError) {
    guard let pool = writer as? DatabasePool else { return }
    do {
      try pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    } catch ResultCode.SQLITE_BUSY, ResultCode.SQLITE_LOCKED {
      // A reader holds it; the next one empties it.
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
  }

  /// Writes the database anew, without the room that deleted rows left; takes as long as copying it, and nobody can write
  /// meanwhile.
  package func vacuum() throws(RepositoryError) {
    do {
      try writer.vacuum()
    } catch {
      throw SQLiteErrorTranslator(path: path).translate(error)
    }
    try emptyLog()
  }

  /// Copies the database as it is now, while it is written to, checks the copy, and gives it its name only when it is
  /// whole and sound. What was at `copy` is replaced.
  ///
  /// - Returns: What is wrong with the copy; empty when it was kept.
  package func snapshot(to copy: String) throws(RepositoryError) -> [String] {
    let temporary = copy + ".part"
    unlink(temporary)
    defer { unlink(temporary) }
    do {
      var configuration = Configuration()
      configuration.journalMode = .default
      // Closed before it gets its name: a log beside it would be left behind.
      try DatabaseFile(path: temporary).prepareForWriting()
      let queue = try DatabaseQueue(path: temporary, configuration: configuration)
      try writer.backup(to: queue)
      try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()
    } catch {
      throw SQLiteErrorTranslator(path: temporary).translate(error)
    }
    let copied = try TachogramDatabase.openReadOnly(path: temporary)
    let findings = try copied.checkIntegrity()
    try copied.close()
    guard findings.isEmpty else { return findings }
    guard Self.synchronise(temporary), rename(temporary, copy) == 0 else {
      throw .fileNotCreated(path: copy, errno: errno)
    }
    return []
  }

  private static func synchronise(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    return fsync(descriptor) == 0
  }

  /// The bytes of the file and of its log.
  package var size: Int64 {
    ["", "-wal"].reduce(0) { sum, suffix in
      var status = stat()
      return stat(path + suffix, &status) == 0 ? sum + Int64(status.st_size) : sum
    }
  }
}

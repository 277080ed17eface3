import FoundationEssentials
import Glibc
import TachogramCore

/// A database that a copy was put in the place of: it stays beside it, under another name.
package struct ReplacedDatabase {
  private static let infix = TachogramDatabase.aside
  private static let unfinished = ".restored-"
  /// What the file of a database has beside it while it is used.
  private static let logs = ["-wal", "-shm"]

  private let path: String

  /// Of the database that is to be replaced, or was.
  package init(_ path: String) {
    self.path = path
  }

  /// Puts a copy of `source` in the place of the database, in one step: whenever the power goes, there is one or the other. A
  /// log that the database still has goes before it. `lock` is exclusive.
  ///
  /// - Returns: Where the database that was there is now; `nil` when there was none.
  package func replace(with source: TachogramDatabase, at time: WallTime, under lock: DatabaseLock) throws -> String? {
    let files = FileManager.default
    let replaced = path + Self.infix + Timestamp.text(time).filter { $0 != ":" }
    let temporary = "\(path)\(Self.unfinished)\(getpid())"
    removeUnfinished(but: source.path)
    do {
      // As SQLite copies it: with what its log holds, and whole.
      let findings = try source.snapshot(to: temporary)
      guard findings.isEmpty else { throw RepositoryError.damaged(path: source.path) }
      let exists = files.fileExists(atPath: path)
      try giveAway(temporary, as: exists ? path : URL(fileURLWithPath: path).deletingLastPathComponent().path)
      try Self.synchronise(temporary)
      // Whoever opens the database meanwhile would find the file of one and the log of the other.
      try lock.renaming(database: path) {
        if exists { try keep(as: replaced) }
        // A log belongs to its file: the copy must not find that of another.
        for suffix in Self.logs where files.fileExists(atPath: path + suffix) {
          try files.moveItem(atPath: path + suffix, toPath: replaced + suffix)
        }
        guard rename(temporary, path) == 0 else { throw Self.failure }
      }
      try Self.synchronise(URL(fileURLWithPath: path).deletingLastPathComponent().path)
      return exists ? replaced : nil
    } catch {
      try? files.removeItem(atPath: temporary)
      throw error
    }
  }

  /// Gives the file a second name. Where the disk knows no second names, it loses its first one.
  private func keep(as replaced: String) throws {
    if link(path, replaced) == 0 { return }
    guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { throw Self.failure }
    try FileManager.default.moveItem(atPath: path, toPath: replaced)
  }

  /// Gives a file the owner of another: what root puts in place is the station's.
  private func giveAway(_ file: String, as other: String) throws {
    var owner = stat()
    guard stat(other, &owner) == 0 else { throw Self.failure }
    guard geteuid() != 0 || chown(file, owner.st_uid, owner.st_gid) == 0 else { throw Self.failure }
  }

  private static func synchronise(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure }
  }

  private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// The names of the files that are left of databases that were replaced by this one.
  package var names: [String] { names(with: Self.infix) }

  /// Removes copies that were not in place when the power went; for who holds the lock of the database. `kept` is the path
  /// of one that stays.
  package func removeUnfinished(but kept: String? = nil) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let keptName = kept.map { URL(fileURLWithPath: $0).lastPathComponent }
    let beginning = URL(fileURLWithPath: path).lastPathComponent + Self.unfinished
    let own = names(with: Self.unfinished).filter { name in
      var process = name.dropFirst(beginning.count)
      // One that was not whole yet.
      if process.hasSuffix(TachogramDatabase.unfinished) { process.removeLast(TachogramDatabase.unfinished.count) }
      return name != keptName && !process.isEmpty && process.allSatisfy(\.isNumber)
    }
    for name in own {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  private func names(with infix: String) -> [String] {
    let database = URL(fileURLWithPath: path)
    let files = try? FileManager.default.contentsOfDirectory(atPath: database.deletingLastPathComponent().path)
    return (files ?? []).filter { $0.hasPrefix(database.lastPathComponent + infix) }.sorted()
  }
}

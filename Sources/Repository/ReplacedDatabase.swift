import FoundationEssentials
import Glibc
import TachogramCore

/// A database that was replaced by a copy. It is kept beside the copy under another name.
package struct ReplacedDatabase {
  private static let infix = TachogramDatabase.aside
  private static let unfinished = ".restored-"
  /// The suffixes of the files that SQLite keeps beside a database in use.
  private static let logs = ["-wal", "-shm"]
  /// The same, with the journal of a copy that is being made.
  private static let besides = logs + ["-journal"]

  private let path: String

  /// Creates a value for the database at `path`, which is to be replaced or was. A link stands for its target.
  package init(_ path: String) {
    self.path = DatabaseFile.resolved(path)
  }

  /// Replaces the database with a copy of `source` in one step, so that a power cut leaves one or the other. A log of the
  /// database is removed before. `lock` must be exclusive. `complete` is called with the path of the copy before it is put in
  /// place. Returns the new path of the previous database, or `nil` if there was none.
  package func replace(
    with source: TachogramDatabase, at time: WallTime, under lock: DatabaseLock,
    complete: (String) throws -> Void = { _ in },
  ) throws -> String? {
    let files = FileManager.default
    let replaced = path + Self.infix + Timestamp.fileText(time)
    let temporary = "\(path)\(Self.unfinished)\(getpid())"
    removeUnfinished(but: source.path)
    do {
      // The copy of SQLite is complete and includes the log.
      let findings = try source.snapshot(to: temporary)
      guard findings.isEmpty else { throw RepositoryError.damaged(path: source.path) }
      try complete(temporary)
      let exists = files.fileExists(atPath: path)
      try giveAway(temporary, as: exists ? path : URL(fileURLWithPath: path).deletingLastPathComponent().path)
      try Self.synchronise(temporary)
      // Another process that opened the database now would find the file of one and the log of the other.
      try lock.renaming(database: path) {
        if exists { try keep(as: replaced) }
        var moved: [String] = []
        do {
          // The copy must not be used with the log of another file.
          for suffix in Self.logs where files.fileExists(atPath: path + suffix) {
            try files.moveItem(atPath: path + suffix, toPath: replaced + suffix)
            moved.append(suffix)
          }
          guard rename(temporary, path) == 0 else { throw Self.failure }
        } catch {
          // The database is used again, with its log.
          for suffix in moved { rename(replaced + suffix, path + suffix) }
          if exists, !files.fileExists(atPath: path) { rename(replaced, path) }
          throw error
        }
      }
      // It is in place, also where a folder cannot be synchronised.
      try? Self.synchronise(URL(fileURLWithPath: path).deletingLastPathComponent().path)
      return exists ? replaced : nil
    } catch {
      for file in [temporary] + Self.besides.map({ temporary + $0 }) { try? files.removeItem(atPath: file) }
      throw error
    }
  }

  /// Links the file under a second name. On a file system without hard links, it is renamed.
  private func keep(as replaced: String) throws {
    if link(path, replaced) == 0 { return }
    guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { throw Self.failure }
    try FileManager.default.moveItem(atPath: path, toPath: replaced)
  }

  /// Changes the owner of a file to that of another, so that a file that root creates belongs to the station.
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

  /// A database that was replaced.
  package struct File: Hashable, Sendable {
    package let name: String
    package let path: String
    /// The time of its last change.
    package let time: WallTime
    package let bytes: Int64
  }

  /// Returns the databases that were replaced by this one, the newest first.
  package func files() -> [File] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    // Not the files beside them, such as logs and locks.
    let beginning = URL(fileURLWithPath: path).lastPathComponent.count + Self.infix.count
    return names.filter { name in name.dropFirst(beginning).allSatisfy { $0.isNumber || "TZ.-".contains($0) } }
      .compactMap { name in
        let file = folder.appendingPathComponent(name).path
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return File(
          name: name, path: file, time: WallTime(microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000),
          bytes: Int64(status.st_size))
      }
      .sorted { $0.time > $1.time }
  }

  /// The names of the files of databases that were replaced by this one, with those of their logs.
  package var names: [String] { names(with: Self.infix) }

  /// Removes copies that were not in place at a power cut. The caller must hold the lock of the database. `kept` is the path of
  /// a copy to keep.
  package func removeUnfinished(but kept: String? = nil) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let keptName = kept.map { URL(fileURLWithPath: $0).lastPathComponent }
    let beginning = URL(fileURLWithPath: path).lastPathComponent + Self.unfinished
    let own = names(with: Self.unfinished).filter { name in
      var copy = name[...]
      // SQLite's file beside a copy that was being made.
      for suffix in Self.besides where copy.hasSuffix(suffix) { copy.removeLast(suffix.count) }
      if let keptName, copy == keptName { return false }
      var process = copy.dropFirst(beginning.count)
      // A copy that was not complete.
      if process.hasSuffix(TachogramDatabase.unfinished) { process.removeLast(TachogramDatabase.unfinished.count) }
      return !process.isEmpty && process.allSatisfy(\.isNumber)
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

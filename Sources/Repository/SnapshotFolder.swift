import FoundationEssentials
import Glibc
import TachogramCore

/// The verified copies of a database, one file each, named by the database and the time at which they were made: those of
/// other databases may be in the same folder.
package struct SnapshotFolder: Sendable {
  package struct Snapshot: Hashable, Sendable {
    package let path: String
    package let time: WallTime
    package let bytes: Int64
  }

  private static let suffix = ".sqlite"

  package let path: String
  /// What the names of this database's copies begin with.
  private let prefix: String
  /// Where copies are that were made under the name of a link to the database, and what their names begin with; `nil` for a
  /// database that is named without links.
  private let ofLink: (path: String, prefix: String)?

  /// `path` of the folder; by default `snapshots` beside the database. A link stands for what it leads to.
  package init(_ path: String?, database: String) {
    let whole = DatabaseLock.fileName(of: database)
    // Another way to the same folder is none of these.
    let isLink =
      Self.name(of: whole) != Self.name(of: database)
      || Self.inode(Self.folder(of: whole)) != Self.inode(Self.folder(of: database))
    let database = isLink ? (file: whole, link: Optional(database)) : (file: database, link: nil)
    self.path = path ?? Self.folder(of: database.file) + "snapshots"
    prefix = Self.prefix(of: database.file)
    let linked = database.link.map { (path: path ?? Self.folder(of: $0) + "snapshots", prefix: Self.prefix(of: $0)) }
    let (own, prefix) = (self.path, prefix)
    ofLink = linked.flatMap { $0.path == own && $0.prefix == prefix ? nil : $0 }
  }

  private static func prefix(of database: String) -> String {
    let name = name(of: database)
    return (name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name + ".") + "-"
  }

  private static func name(of database: String) -> String { String(database.split(separator: "/").last ?? "") }

  /// The folder of a file, with the slash at its end; empty for the working folder.
  private static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
  }

  private static func inode(_ folder: String) -> [UInt64] {
    var status = stat()
    return stat(folder.isEmpty ? "." : folder, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : []
  }

  /// The copies, the newest first; none where there is no folder.
  package func snapshots() -> [Snapshot] {
    let linked = ofLink.map { snapshots(in: $0.path, prefix: $0.prefix) } ?? []
    return (snapshots(in: path, prefix: prefix) + linked).sorted { $0.time > $1.time }
  }

  private func snapshots(in folder: String, prefix: String) -> [Snapshot] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { snapshot($0, in: folder, prefix: prefix) }
  }

  /// The newest copy. One that a clock ahead of this one has named is taken for older than all others.
  package func newest(at now: WallTime) -> Snapshot? {
    byAge(snapshots(), at: now).first
  }

  private func byAge(_ snapshots: [Snapshot], at now: WallTime) -> [Snapshot] {
    snapshots.filter { $0.time <= now } + snapshots.filter { $0.time > now }
  }

  /// What to do about a database that is damaged.
  package func advice(database: String, at now: WallTime) -> String {
    guard let newest = newest(at: now) else { return "There is no copy of it in \(path)." }
    return "The newest copy is of \(Timestamp.text(newest.time)). Stop the station, then `tachogram restore --database "
      + "\(database)` puts the copy in place and keeps the damaged file beside it."
  }

  private func snapshot(_ name: String, in folder: String, prefix: String) -> Snapshot? {
    var status = stat()
    guard let time = time(of: name, prefix: prefix), stat("\(folder)/\(name)", &status) == 0 else { return nil }
    return Snapshot(path: "\(folder)/\(name)", time: time, bytes: Int64(status.st_size))
  }

  /// When a copy of this database was made; `nil` for names of other files.
  private func time(of name: String, prefix: String) -> WallTime? {
    guard name.hasPrefix(prefix), name.hasSuffix(Self.suffix) else { return nil }
    let digits = Array(name.dropFirst(prefix.count).dropLast(Self.suffix.count))
    guard digits.count == 16, digits[8] == "T", digits[15] == "Z" else { return nil }
    func part(_ range: Range<Int>) -> String { String(digits[range]) }
    let text =
      part(0..<4) + "-" + part(4..<6) + "-" + part(6..<8) + "T" + part(9..<11) + ":" + part(11..<13) + ":"
      + part(13..<15) + "Z"
    return Timestamp.time(text)
  }

  /// Copies a database into the folder, which is made where it is missing, and deletes the oldest copies beyond `keep`; those
  /// that a clock ahead of this one has named are the oldest.
  /// A copy that is not sound is not kept, and nothing is deleted for it. No copy is begun that would leave less than
  /// `reserve` bytes free: what is recorded needs them.
  ///
  /// - Returns: What is wrong with the database; empty when the copy was made.
  package func add(
    _ database: TachogramDatabase, at now: WallTime, keep: Int, reserve: UInt64 = 0,
  ) throws(RepositoryError) -> [String] {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      let code = errno
      throw SystemError.error(code, at: path, else: .folderNotCreated(path: path, errno: code))
    }
    removeUnfinished()
    guard hasRoom(for: database, reserve: reserve) else { throw .full(path: path) }
    let name = Timestamp.text(now).filter { $0 != "-" && $0 != ":" }.prefix(15)
    let made = "\(path)/\(prefix)\(name)Z\(Self.suffix)"
    let findings = try database.snapshot(to: made)
    guard findings.isEmpty else { return findings }
    let others = snapshots().filter { $0.path != made }
    for old in byAge(others, at: now).dropFirst(keep - 1) { unlink(old.path) }
    return []
  }

  /// Whether a copy of a database leaves `reserve` bytes free.
  private func hasRoom(for database: TachogramDatabase, reserve: UInt64) -> Bool {
    guard let space = FreeSpace(at: path) else { return true }
    return space.bytes >= UInt64(max(0, database.size)) + reserve
  }

  /// Removes what copies of this database were when the power went.
  private func removeUnfinished() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      guard let end = name.firstRange(of: Self.suffix + TachogramDatabase.unfinished),
        time(of: name[..<end.lowerBound] + Self.suffix, prefix: prefix) != nil
      else { continue }
      unlink("\(path)/\(name)")
    }
  }

  /// Copies the database before much of it is deleted, where copies of it are kept and the newest does not hold all of it: what
  /// goes wrong on the way costs nothing then. The copy is replaced by `renew` after the deletion. On a full disk the deletion
  /// goes before.
  package func addBeforeDeletion(
    _ contents: SessionContents, from database: TachogramDatabase, at now: WallTime, reserve: UInt64 = 0,
  ) throws(RepositoryError) {
    guard !snapshots().isEmpty, hasRoom(for: database, reserve: reserve),
      contents.isLarge(of: try DeletionRepository(database: database).preview(SessionSelection())),
      try !holdsAll(of: database, at: now)
    else { return }
    do {
      _ = try add(database, at: now, keep: .max, reserve: reserve)
    } catch .full {
      return
    }
  }

  /// Whether the newest copy holds all that the database holds, but for what can be derived again; without a copy, whether
  /// there is nothing to hold.
  package func holdsAll(of database: TachogramDatabase, at now: WallTime) throws(RepositoryError) -> Bool {
    if isStale { return false }
    guard let newest = newest(at: now) else { return try database.isEmpty() }
    let mark = try database.contentMark()
    // A copy that cannot be read, or is of an older version, holds not all.
    guard let copy = try? TachogramDatabase.openCopy(path: newest.path) else { return false }
    defer { try? copy.close() }
    return (try? copy.contentMark()) == mark
  }

  // MARK: - Copies of what was deleted

  /// Notes, over the end of this process, that the copies hold what is deleted from the database; before it is.
  package func markStale() {
    guard !snapshots().isEmpty else { return }
    let descriptor = open(mark, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // Distinguishes one mark from the next.
    let text = Array(UUID().uuidString.utf8)
    _ = write(descriptor, text, text.count)
    fsync(descriptor)
    close(descriptor)
  }

  /// Whether the copies hold what was deleted from the database.
  package var isStale: Bool { access(mark, F_OK) == 0 }

  private var mark: String { "\(path)/\(prefix)stale" }

  /// Runs `body`, which deletes from the database. Where the disk is too full for it, all copies but the newest go first: they
  /// hold what is to be deleted. Throws what `body` throws.
  package func makingRoom<Value, Failure: Error>(
    at now: WallTime, _ body: () throws(Failure) -> Value,
  ) throws(Failure) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      guard case .full? = error as? RepositoryError, snapshots().count > 1 else { throw error }
      dropOlder(at: now)
      return try body()
    }
  }

  /// Deletes all copies but the newest.
  package func dropOlder(at now: WallTime) {
    for old in byAge(snapshots(), at: now).dropFirst() { unlink(old.path) }
  }

  /// Copies a database from which something was deleted, and deletes all older copies, which still hold it. Where there is
  /// none, none is made. All but the newest go first where the new one needs their room.
  ///
  /// - Returns: What is wrong with the database, which keeps the copies; empty when nothing older is left.
  package func renew(
    _ database: TachogramDatabase, at now: WallTime, reserve: UInt64 = 0,
  ) throws(RepositoryError) -> [String] {
    let marked = markText()
    if snapshots().isEmpty {
      removeUnfinished()
    } else {
      let findings = try makingRoom(at: now) { () throws(RepositoryError) -> [String] in
        try add(database, at: now, keep: 1, reserve: reserve)
      }
      guard findings.isEmpty else { return findings }
    }
    clearMark(marked)
    return []
  }

  /// What the mark says, that distinguishes it from the next; `nil` where there is none.
  package func markText() -> Data? { FileManager.default.contents(atPath: mark) }

  /// Removes a mark that said `text` before a copy was made: what was deleted meanwhile may be in the copy.
  package func clearMark(_ text: Data?) {
    if markText() == text { unlink(mark) }
  }
}

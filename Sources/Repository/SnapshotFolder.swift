import FoundationEssentials
import Glibc
import TachogramCore

/// The verified snapshots of a database, one file each, named after the database and the time of the snapshot. The folder may
/// contain those of other databases.
package struct SnapshotFolder: Sendable {
  package struct Snapshot: Hashable, Sendable {
    package let path: String
    package let time: WallTime
    package let bytes: Int64

    package var name: String { SnapshotFolder.name(of: path) }
  }

  private static let suffix = ".sqlite"

  package let path: String
  /// The prefix of the names of this database's snapshots.
  private let prefix: String
  /// The folder and the prefix of snapshots that were made under the name of a link to the database, or `nil` if the database
  /// was named without links.
  private let ofLink: (path: String, prefix: String)?

  /// Creates the folder at `path`; by default `snapshots` beside the database. A link stands for its target.
  package init(_ path: String?, database: String) {
    let whole = DatabaseLock.fileName(of: database)
    // Another path to the same folder is not a link to the database.
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

  /// Returns the folder of a file with a trailing slash, or an empty text for the working folder.
  private static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
  }

  private static func inode(_ folder: String) -> [UInt64] {
    var status = stat()
    return stat(folder.isEmpty ? "." : folder, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : []
  }

  /// Returns the snapshots, the newest first, or an empty array if the folder does not exist.
  package func snapshots() -> [Snapshot] {
    let linked = ofLink.map { snapshots(in: $0.path, prefix: $0.prefix) } ?? []
    return (snapshots(in: path, prefix: prefix) + linked).sorted { $0.time > $1.time }
  }

  private func snapshots(in folder: String, prefix: String) -> [Snapshot] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { snapshot($0, in: folder, prefix: prefix) }
  }

  /// Returns the newest snapshot. One from the future, made with a wrong clock, counts as older than all others.
  package func newest(at now: WallTime) -> Snapshot? {
    byAge(snapshots(), at: now).first
  }

  private func byAge(_ snapshots: [Snapshot], at now: WallTime) -> [Snapshot] {
    snapshots.filter { $0.time <= now } + snapshots.filter { $0.time > now }
  }

  /// Returns advice for a damaged database.
  package func advice(database: String, at now: WallTime) -> String {
    guard let newest = newest(at: now) else { return "There is no copy of it in \(path)." }
    return
      "The newest copy is of \(Timestamp.text(newest.time)). Restore it on the page, under Settings, Snapshots, or stop the "
      + "station and use `tachogram restore --database \(database)`: the damaged file is kept beside it."
  }

  private func snapshot(_ name: String, in folder: String, prefix: String) -> Snapshot? {
    var status = stat()
    guard let time = time(of: name, prefix: prefix), stat("\(folder)/\(name)", &status) == 0 else { return nil }
    return Snapshot(path: "\(folder)/\(name)", time: time, bytes: Int64(status.st_size))
  }

  /// Returns the time of a snapshot of this database, or `nil` for the name of another file.
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

  /// Copies a database into the folder, which is created if it does not exist, and deletes the oldest snapshots beyond `keep`;
  /// snapshots from the future count as the oldest. A damaged copy is not kept, and nothing is deleted for it. No copy is made
  /// that would leave less than `reserve` bytes free, which recording needs.
  ///
  /// - Returns: The damage of the database; empty if the snapshot was made.
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

  /// Whether a copy of a database would leave `reserve` bytes free.
  private func hasRoom(for database: TachogramDatabase, reserve: UInt64) -> Bool {
    guard let space = FreeSpace(at: path) else { return true }
    return space.bytes >= UInt64(max(0, database.size)) + reserve
  }

  /// Removes incomplete copies that a power cut left.
  private func removeUnfinished() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      guard let end = name.firstRange(of: Self.suffix + TachogramDatabase.unfinished),
        time(of: name[..<end.lowerBound] + Self.suffix, prefix: prefix) != nil
      else { continue }
      unlink("\(path)/\(name)")
    }
  }

  /// Copies the database before a large deletion, if snapshots are kept and the newest one does not contain all of it, so that
  /// an error during the deletion loses nothing. `renew` replaces the copy after the deletion. On a full disk the deletion is
  /// done without a copy.
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

  /// Whether the newest snapshot contains everything in the database, except rows that can be derived again; without a
  /// snapshot, whether the database is empty.
  package func holdsAll(of database: TachogramDatabase, at now: WallTime) throws(RepositoryError) -> Bool {
    if isStale { return false }
    guard let newest = newest(at: now) else { return try database.isEmpty() }
    let mark = try database.contentMark()
    // A copy that cannot be read or is of an older version does not contain everything.
    guard let copy = try? TachogramDatabase.openCopy(path: newest.path) else { return false }
    defer { try? copy.close() }
    return (try? copy.contentMark()) == mark
  }

  // MARK: - Copies of what was deleted

  /// Marks the snapshots as containing data that is deleted from the database. The mark survives this process. Must be called
  /// before the deletion.
  package func markStale() {
    guard !snapshots().isEmpty else { return }
    let descriptor = open(mark, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // Distinguishes a mark from later ones.
    let text = Array(UUID().uuidString.utf8)
    _ = write(descriptor, text, text.count)
    fsync(descriptor)
    close(descriptor)
  }

  /// Whether the snapshots contain data that was deleted from the database.
  package var isStale: Bool { access(mark, F_OK) == 0 }

  private var mark: String { "\(path)/\(prefix)stale" }

  /// Calls `body`, which deletes from the database. If the disk is too full for it, all snapshots but the newest are deleted
  /// first, since they contain the data to be deleted. Throws the error of `body`.
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

  /// Deletes all snapshots but the newest.
  package func dropOlder(at now: WallTime) {
    for old in byAge(snapshots(), at: now).dropFirst() { unlink(old.path) }
  }

  /// Copies a database from which data was deleted, and deletes all older snapshots, which still contain it. If there are none,
  /// none is made. All but the newest are deleted first if the new one needs their space.
  ///
  /// - Returns: The damage of the database, because of which the snapshots were kept; empty if no older one is left.
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

  /// Returns the contents of the mark, which distinguish it from later ones, or `nil` if there is no mark.
  package func markText() -> Data? { FileManager.default.contents(atPath: mark) }

  /// Removes the mark if it still has the contents `text`, read before a copy was made. A newer mark means that the copy may
  /// contain deleted data.
  package func clearMark(_ text: Data?) {
    if markText() == text { unlink(mark) }
  }
}

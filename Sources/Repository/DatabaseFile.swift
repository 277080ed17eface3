import FileSystem
import FoundationEssentials
import Glibc
import TachogramCore

/// The file of a database in the file system, which is checked and created before SQLite opens it.
struct DatabaseFile: Sendable {
  /// The identity of the file at a path.
  struct Identity: Hashable, Sendable {
    let device: dev_t
    let number: ino_t
  }

  /// The suffixes of the files that SQLite keeps beside a database.
  static let companions = ["-wal", "-shm", "-journal"]
  /// The text between the name and the time in the name of a database that was replaced by a copy.
  static let aside = ".replaced-"

  /// The absolute path, so that a later change of the working folder has no effect, and so that SQLite treats `:memory:` and
  /// `file:…` as names of files.
  let path: String

  init(path: String) {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else {
      self.path = path
      return
    }
    defer { free(folder) }
    self.path = String(cString: folder) + "/" + path
  }

  /// Returns the path with its links resolved, as far as it exists. SQLite keeps the log of a database that is opened through a
  /// link beside this path.
  static func resolved(_ path: String) -> String { resolved(path, depth: 0) }

  /// The number of nested links that Linux follows.
  private static let mostLinks = 40

  private static func resolved(_ path: String, depth: Int) -> String {
    let absolute = DatabaseFile(path: path).path
    func real(_ path: String) -> String? {
      guard let text = realpath(path, nil) else { return nil }
      defer { free(text) }
      return String(cString: text)
    }
    if let whole = real(absolute) { return whole }
    if let target = linkTarget(absolute), depth < mostLinks { return resolved(target, depth: depth + 1) }
    guard let slash = absolute.lastIndex(of: "/"), let folder = real(String(absolute[..<slash]) + "/") else {
      return absolute
    }
    return (folder == "/" ? "" : folder) + absolute[slash...]
  }

  /// Returns the target of a link, whether or not it exists, or `nil` if the path is not a link.
  private static func linkTarget(_ path: String) -> String? {
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return nil }
    if target.hasPrefix("/") { return target }
    return path.lastIndex(of: "/").map { path[...$0] + target }
  }

  // MARK: - Before opening

  /// Checks that an existing file can be read and written and does not belong to another program. If there is no file, creates
  /// the missing folders above it, with mode 0700.
  func prepareForWriting() throws(RepositoryError) {
    guard try mode() != nil else { return try makeFolder() }
    try checkReadable()
    try checkSoleName()
    // SQLite would open the file read-only instead and fail much later.
    guard access(path, W_OK) == 0 else { throw .readOnly(path: path) }
    try DatabaseHeader(path: path).check()
  }

  /// Checks that the file can be read and does not belong to another program.
  func check() throws(RepositoryError) {
    try checkReadable()
    try DatabaseHeader(path: path).check()
  }

  /// Checks that the file has no other name (a hard link): the lock and SQLite's log belong to a name, so a process that uses
  /// the file under another name would not be detected. Names that `restore` gave the file when it began to put it aside are
  /// allowed.
  func checkSoleName() throws(RepositoryError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1 else { return }
    let others = Int(status.st_nlink) - 1
    guard others > asideCount(Identity(device: status.st_dev, number: status.st_ino)) else { return }
    throw .severalNames(path: path, names: others + 1)
  }

  /// Returns the number of names that the file has as a database that was put aside.
  private func asideCount(_ identity: Identity) -> Int {
    let whole = Self.resolved(path)
    let folder = parent(of: whole)
    let beginning = whole.split(separator: "/").last.map { $0 + Self.aside } ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count { name in
      name.hasPrefix(beginning) && DatabaseFile(path: "\(folder)/\(name)").identity == identity
    }
  }

  /// Creates the missing folders above the file, with mode 0700.
  func makeFolder() throws(RepositoryError) { try makeFolder(parent(of: Self.resolved(path))) }

  /// Creates the file, with mode 0600, if it is missing. SQLite gives the files that it keeps beside the database the mode of
  /// the database.
  ///
  /// - Returns: Whether the file was created.
  func make() throws(RepositoryError) -> Bool {
    // Not open(2): closing any descriptor of a file drops the locks that SQLite holds on it in this process. A file that
    // another process creates first is used as well.
    if mknod(Self.resolved(path), S_IFREG | 0o600, 0) == 0 { return true }
    let code = errno
    guard code == EEXIST else {
      throw SystemError.error(code, at: path, else: .fileNotCreated(path: path, errno: code))
    }
    return false
  }

  /// Whether the file exists and is empty. SQLite deletes the log of an empty file when it opens it.
  var isEmpty: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  /// Whether there is a log with pages beside the path.
  var hasLog: Bool {
    var status = stat()
    return stat(Self.resolved(path) + "-wal", &status) == 0 && status.st_size > 0
  }

  /// Renames a log that was left beside a file that is missing or empty, so that SQLite does not delete it: until the first checkpoint a
  /// log holds the whole database.
  func keepLeftLog(at time: WallTime) {
    guard identity == nil || isEmpty, hasLog else { return }
    let log = Self.resolved(path) + "-wal"
    rename(log, "\(log).left-\(Timestamp.fileText(time))")
  }

  /// Deletes the file that `make` created, and the files that SQLite created beside it. The caller has checked that nothing was
  /// stored in it.
  func discard() {
    let made = Self.resolved(path)
    for suffix in [""] + Self.companions { unlink(made + suffix) }
  }

  /// Checks that the file exists and can be read by this user.
  func checkReadable() throws(RepositoryError) {
    guard let mode = try mode() else { throw .missing(path: path) }
    guard mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    if KernelFileSystem.holds(path) { throw .madeByKernel(path: path) }
    guard access(path, R_OK) == 0 else { throw .accessDenied(path: path) }
  }

  // MARK: - File system

  /// Returns the type and the permissions of the item at the path, or `nil` if there is no item. Throws `accessDenied` and
  /// `unreachable`.
  private func mode() throws(RepositoryError) -> mode_t? {
    var status = stat()
    if stat(path, &status) == 0 { return status.st_mode }
    switch errno {
    case ENOENT, ENOTDIR: return nil
    case EACCES: throw .accessDenied(path: path)
    case let code: throw .unreachable(path: path, errno: code)
    }
  }

  /// The identity of the file, or `nil` if there is no file.
  var identity: Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(device: status.st_dev, number: status.st_ino) : nil
  }

  /// Whether there is a shared memory file beside the database, created by a process that has or had it open.
  var hasSharedMemory: Bool { access(Self.resolved(path) + "-shm", F_OK) == 0 }

  /// Whether any of SQLite's files exists beside the database.
  var hasCompanions: Bool {
    let whole = Self.resolved(path)
    return Self.companions.contains { access(whole + $0, F_OK) == 0 }
  }

  /// The name by which SQLite opens the file as one that nobody changes (https://sqlite.org/uri.html).
  var unchangingName: String { URL(fileURLWithPath: path).absoluteString + "?immutable=1" }

  /// Whether any of SQLite's files exists beside the database, and its log is missing or empty.
  var hasEmptyLog: Bool { hasCompanions && !hasLog }

  /// Deletes the files that SQLite created beside a copy that had none before, unless the log holds pages. A file with a lock
  /// is not a mere copy and may be in use, so its companions are kept.
  func discardCompanions() {
    guard !LockFile.exists(database: path), !hasLog else { return }
    let whole = Self.resolved(path)
    for suffix in ["-wal", "-shm"] { unlink(whole + suffix) }
  }

  private func makeFolder(_ folder: String) throws(RepositoryError) {
    if access(folder, F_OK) == 0 { return }
    if folder != parent(of: folder) { try makeFolder(parent(of: folder)) }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      let code = errno
      throw SystemError.error(code, at: folder, else: .folderNotCreated(path: folder, errno: code))
    }
  }

  private func parent(of path: String) -> String {
    "/" + path.split(separator: "/").dropLast().joined(separator: "/")
  }
}

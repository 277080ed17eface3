import FileSystem
import FoundationEssentials
import Glibc

/// The file of the database as the file system sees it: checked and made before SQLite opens it.
struct DatabaseFile: Sendable {
  /// Which file there is at a path.
  struct Identity: Hashable, Sendable {
    let device: dev_t
    let number: ino_t
  }

  /// What SQLite keeps beside a database.
  static let companions = ["-wal", "-shm", "-journal"]
  /// What follows its name in that of a database that a copy took the place of, before the time.
  static let aside = ".replaced-"

  /// Absolute, so that a later change of the working folder moves nothing, and so that SQLite takes neither `:memory:`
  /// nor `file:…` for anything but the name of a file.
  let path: String

  init(path: String) {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else {
      self.path = path
      return
    }
    defer { free(folder) }
    self.path = String(cString: folder) + "/" + path
  }

  /// The path without links, as far as it exists: where SQLite keeps the log of a database that is opened through a link.
  static func resolved(_ path: String) -> String { resolved(path, depth: 0) }

  /// What Linux follows of links to links.
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

  /// Where a link leads, whether there is anything or not; `nil` for what is no link.
  private static func linkTarget(_ path: String) -> String? {
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return nil }
    if target.hasPrefix("/") { return target }
    return path.lastIndex(of: "/").map { path[...$0] + target }
  }

  // MARK: - Before opening

  /// Checks that the file, where there is one, can be read and written and is no other program's, and makes the folders above
  /// it, mode 0700, where they are missing.
  func prepareForWriting() throws(RepositoryError) {
    guard try mode() != nil else { return try makeFolder() }
    try checkReadable()
    try checkSoleName()
    // SQLite would open it for reading instead and fail much later.
    guard access(path, W_OK) == 0 else { throw .readOnly(path: path) }
    try DatabaseHeader(path: path).check()
  }

  /// Checks that the file can be read and is no other program's.
  func check() throws(RepositoryError) {
    try checkReadable()
    try DatabaseHeader(path: path).check()
  }

  /// Checks that the file has no other name (a hard link): the lock and SQLite's log belong to a name, and who uses the file
  /// under another one would not be seen. The name of a database that `restore` was about to put aside is known.
  func checkSoleName() throws(RepositoryError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1 else { return }
    let others = Int(status.st_nlink) - 1
    guard others > asideCount(Identity(device: status.st_dev, number: status.st_ino)) else { return }
    throw .severalNames(path: path, names: others + 1)
  }

  /// How many names of a database that was put aside the file has.
  private func asideCount(_ identity: Identity) -> Int {
    let whole = Self.resolved(path)
    let folder = parent(of: whole)
    let beginning = whole.split(separator: "/").last.map { $0 + Self.aside } ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count { name in
      name.hasPrefix(beginning) && DatabaseFile(path: "\(folder)/\(name)").identity == identity
    }
  }

  /// Makes the folders above the file, mode 0700, where they are missing.
  func makeFolder() throws(RepositoryError) { try makeFolder(parent(of: Self.resolved(path))) }

  /// Makes the file, mode 0600, where it is missing. SQLite gives the files that it keeps beside the database the mode of the
  /// database.
  ///
  /// - Returns: Whether it was.
  func make() throws(RepositoryError) -> Bool {
    // Not open(2): closing any descriptor of a file drops the locks that SQLite holds on it in this process. Another
    // process that was faster is as good.
    if mknod(Self.resolved(path), S_IFREG | 0o600, 0) == 0 { return true }
    let code = errno
    guard code == EEXIST else {
      throw SystemError.error(code, at: path, else: .fileNotCreated(path: path, errno: code))
    }
    return false
  }

  /// Whether there is a file of no bytes.
  var isEmpty: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  /// Deletes the file that `make` made, and what SQLite made beside it: for who knows that nothing was stored in it.
  func discard() {
    let made = Self.resolved(path)
    for suffix in [""] + Self.companions { unlink(made + suffix) }
  }

  /// Checks that there is a file that this user may read.
  func checkReadable() throws(RepositoryError) {
    guard let mode = try mode() else { throw .missing(path: path) }
    guard mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    if KernelFileSystem.holds(path) { throw .madeByKernel(path: path) }
    guard access(path, R_OK) == 0 else { throw .accessDenied(path: path) }
  }

  // MARK: - File system

  /// Type and permissions of what is at the path; `nil` when there is nothing. Throws `accessDenied` and `unreachable`.
  private func mode() throws(RepositoryError) -> mode_t? {
    var status = stat()
    if stat(path, &status) == 0 { return status.st_mode }
    switch errno {
    case ENOENT, ENOTDIR: return nil
    case EACCES: throw .accessDenied(path: path)
    case let code: throw .unreachable(path: path, errno: code)
    }
  }

  /// Which file there is; `nil` where there is none.
  var identity: Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(device: status.st_dev, number: status.st_ino) : nil
  }

  /// Whether a process that has it open, or had, left shared memory beside it.
  var hasSharedMemory: Bool { access(Self.resolved(path) + "-shm", F_OK) == 0 }

  /// Whether there is anything beside it that SQLite makes.
  var hasCompanions: Bool {
    let whole = Self.resolved(path)
    return Self.companions.contains { access(whole + $0, F_OK) == 0 }
  }

  /// Whether SQLite has something beside it, and no log in which there could be a page.
  var hasEmptyLog: Bool {
    var status = stat()
    return hasCompanions && (stat(Self.resolved(path) + "-wal", &status) != 0 || status.st_size == 0)
  }

  /// Deletes what SQLite made beside a copy that it could not read, where there was nothing before: a log without a page. One
  /// with a lock is more than a copy, and somebody may use it.
  func discardCompanions() {
    let whole = Self.resolved(path)
    var status = stat()
    guard !LockFile.exists(database: path), stat(whole + "-wal", &status) != 0 || status.st_size == 0 else { return }
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

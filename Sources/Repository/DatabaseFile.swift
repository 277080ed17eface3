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
  static func resolved(_ path: String) -> String {
    let absolute = DatabaseFile(path: path).path
    func real(_ path: String) -> String? {
      guard let text = realpath(path, nil) else { return nil }
      defer { free(text) }
      return String(cString: text)
    }
    if let whole = real(absolute) { return whole }
    guard let slash = absolute.lastIndex(of: "/"), let folder = real(String(absolute[..<slash]) + "/") else {
      return absolute
    }
    return (folder == "/" ? "" : folder) + absolute[slash...]
  }

  // MARK: - Before opening

  /// Checks that the file, where there is one, can be read and written and is no other program's, and makes the folders above
  /// it, mode 0700, where they are missing.
  func prepareForWriting() throws(RepositoryError) {
    guard mode != nil else { return try makeFolder(parent(of: path)) }
    try checkReadable()
    // SQLite would open it for reading instead and fail much later.
    guard access(path, W_OK) == 0 else { throw .readOnly(path: path) }
    try DatabaseHeader(path: path).check()
  }

  /// Makes the file, mode 0600, where it is missing. SQLite gives the files that it keeps beside the database the mode of the
  /// database.
  ///
  /// - Returns: Whether it was.
  func make() throws(RepositoryError) -> Bool {
    // Not open(2): closing any descriptor of a file drops the locks that SQLite holds on it in this process. Another
    // process that was faster is as good.
    if mknod(path, S_IFREG | 0o600, 0) == 0 { return true }
    guard errno == EEXIST else { throw Self.failure(errno, .fileNotCreated(path: path, errno: errno), path) }
    return false
  }

  /// Deletes the file that `make` made, where nothing was stored in it.
  func discard() {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size == 0 else { return }
    for suffix in [""] + Self.companions { unlink(path + suffix) }
  }

  /// Checks that there is a file that this user may read.
  func checkReadable() throws(RepositoryError) {
    guard let mode else {
      throw errno == EACCES ? .accessDenied(path: path) : .missing(path: path)
    }
    guard mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard access(path, R_OK) == 0 else { throw .accessDenied(path: path) }
  }

  // MARK: - File system

  /// Type and permissions of what is at the path; `nil` (and `errno`) when there is nothing or it cannot be looked at.
  private var mode: mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  /// Which file there is; `nil` where there is none.
  var identity: Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(device: status.st_dev, number: status.st_ino) : nil
  }

  /// Whether a process that has it open, or had, left shared memory beside it.
  var hasSharedMemory: Bool { access(Self.resolved(path) + "-shm", F_OK) == 0 }

  private func makeFolder(_ folder: String) throws(RepositoryError) {
    if access(folder, F_OK) == 0 { return }
    if folder != parent(of: folder) { try makeFolder(parent(of: folder)) }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw Self.failure(errno, .folderNotCreated(path: folder, errno: errno), folder)
    }
  }

  /// A disk without room is that, whatever could not be made on it.
  private static func failure(_ code: Int32, _ other: RepositoryError, _ path: String) -> RepositoryError {
    SystemError.isFull(code) ? .full(path: path) : other
  }

  private func parent(of path: String) -> String {
    "/" + path.split(separator: "/").dropLast().joined(separator: "/")
  }
}

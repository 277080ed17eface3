import Glibc

/// The file of the database as the file system sees it: checked and made before SQLite opens it.
struct DatabaseFile {
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

  // MARK: - Before opening

  /// Makes the file, mode 0600, and the folders above it, mode 0700, where they are missing. SQLite gives the files
  /// that it keeps beside the database the mode of the database.
  func prepareForWriting() throws(RepositoryError) {
    if mode == nil {
      try makeFolder(parent(of: path))
      // Not open(2): closing any descriptor of a file drops the locks that SQLite holds on it in this process. Another
      // process that was faster is as good.
      guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else {
        throw .fileNotCreated(path: path, errno: errno)
      }
    }
    try checkReadable()
    // SQLite would open it for reading instead and fail much later.
    guard access(path, W_OK) == 0 else { throw .readOnly(path: path) }
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

  private func makeFolder(_ folder: String) throws(RepositoryError) {
    if access(folder, F_OK) == 0 { return }
    if folder != parent(of: folder) { try makeFolder(parent(of: folder)) }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .folderNotCreated(path: folder, errno: errno) }
  }

  private func parent(of path: String) -> String {
    "/" + path.split(separator: "/").dropLast().joined(separator: "/")
  }
}

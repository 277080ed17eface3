#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A small file that is replaced as a whole: after a power cut, and for readers at any time, it has its old or its new contents.
package enum AtomicFile {
  /// The reason why a file cannot be read, written or removed.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package enum Action: Hashable, Sendable {
      case read, write, remove, makeFolder
    }

    package enum Reason: Hashable, Sendable {
      /// `errno` of the call that failed.
      case system(Int32)
      case notRegular
      case tooLarge(limit: Int)
    }

    package let path: String
    package let action: Action
    package let reason: Reason

    package init(path: String, action: Action, reason: Reason) {
      self.path = path
      self.action = action
      self.reason = reason
    }

    package var description: String {
      let verb =
        switch action {
        case .read: "cannot be read"
        case .write: "cannot be written"
        case .remove: "cannot be deleted"
        case .makeFolder: "cannot be created"
        }
      return "\(path) \(verb): \(words)"
    }

    private var words: String {
      switch reason {
      case .system(ENOSPC), .system(EDQUOT): "the disk is full"
      case .system(let code): String(cString: strerror(code))
      case .notRegular: "it is not a regular file"
      case .tooLarge(let limit): "it has more than \(limit) bytes"
      }
    }
  }

  /// The contents of a regular file of at most `limit` bytes, or `nil` if there is no file.
  package static func read(_ path: String, limit: Int = 1 << 20) throws(Failure) -> [UInt8]? {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure(path, .read)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, .read) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(path: path, action: .read, reason: .notRegular) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count <= limit {
      let more = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw failure(path, .read) }
      if more == 0 { return Array(bytes.prefix(count)) }
      count += more
    }
    throw Failure(path: path, action: .read, reason: .tooLarge(limit: limit))
  }

  /// Writes a file and its folder entry to the disk, then replaces the file at `path`. Of several writers, the last one's contents
  /// stay; what is read before must be protected by a `FolderLock`.
  package static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws(Failure) {
    let temporary = path + ".part"
    let descriptor = try openTemporary(temporary, for: path, mode)
    do throws(Failure) {
      // Ends the lock of the temporary file, which has its final name by then.
      defer { close(descriptor) }
      // The mask of the process does not apply to a file that others are to read.
      guard fchmod(descriptor, mode) == 0 else { throw failure(path, .write) }
      try write(bytes, descriptor, path)
      guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw failure(path, .write) }
    } catch {
      unlink(temporary)
      throw error
    }
    try syncFolder(of: path)
  }

  /// Creates the temporary file, with a lock on it. One that another writer has locked is waited for; one that nobody has, as after
  /// a power cut, is removed.
  private static func openTemporary(_ temporary: String, for path: String, _ mode: mode_t) throws(Failure) -> Int32 {
    while true {
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
      if descriptor >= 0 {
        if isLocked(descriptor, named: temporary) { return descriptor }
        close(descriptor)
        continue
      }
      guard errno == EEXIST else { throw failure(path, .write) }
      let other = open(temporary, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      if other < 0, errno == ENOENT { continue }
      defer { if other >= 0 { close(other) } }
      // What cannot be opened, such as a symbolic link, is no file of a writer.
      guard other < 0 || isLocked(other, named: temporary) else { continue }
      guard unlink(temporary) == 0 || errno == ENOENT else { throw failure(path, .write) }
    }
  }

  /// Waits for the lock on an open file. Returns whether the file still has its name. A file system without locks is used without.
  private static func isLocked(_ descriptor: Int32, named path: String) -> Bool {
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    var (mine, named) = (stat(), stat())
    return fstat(descriptor, &mine) == 0 && lstat(path, &named) == 0 && mine.st_ino == named.st_ino
      && mine.st_dev == named.st_dev
  }

  /// Shortens a file in place, which needs no room. Returns whether there was one.
  package static func shorten(_ path: String, to length: Int) throws(Failure) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw failure(path, .write)
    }
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(length)) == 0, fsync(descriptor) == 0 else { throw failure(path, .write) }
    return true
  }

  /// Removes a file. Returns whether there was one.
  @discardableResult
  package static func remove(_ path: String) throws(Failure) -> Bool {
    guard unlink(path) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw failure(path, .remove)
    }
    try syncFolder(of: path)
    return true
  }

  /// Creates a folder with its parents. Existing folders are left unchanged.
  package static func makeFolder(_ path: String, mode: mode_t = 0o700) throws(Failure) {
    if mkdir(path, mode) == 0 { return }
    let code = errno
    var status = stat()
    if code == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    guard code == ENOENT, let parent = folder(of: path) else {
      throw Failure(path: path, action: .makeFolder, reason: .system(code))
    }
    try makeFolder(parent, mode: mode)
    guard mkdir(path, mode) == 0 || errno == EEXIST else { throw failure(path, .makeFolder) }
  }

  /// The folder of a path, or `nil` for a path without a folder.
  package static func folder(of path: String) -> String? {
    let parents = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    guard !parents.isEmpty else { return nil }
    let folder = parents.joined(separator: "/")
    return folder.isEmpty ? "/" : folder
  }

  private static func write(_ bytes: [UInt8], _ descriptor: Int32, _ path: String) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(path, .write) }
      rest = rest.dropFirst(count)
    }
  }

  private static func syncFolder(of path: String) throws(Failure) {
    let descriptor = open(folder(of: path) ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // File systems that cannot synchronise a folder report EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(path, .write) }
  }

  private static func failure(_ path: String, _ action: Failure.Action) -> Failure {
    Failure(path: path, action: action, reason: .system(errno))
  }
}

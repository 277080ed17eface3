#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock on a folder, held while files in it are read, changed and written back, by one thread of all processes at a time. It needs
/// no file, and ends with the process.
package struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock on the folder of `path`. A file system without locks is used without one.
  package init(of path: String) {
    descriptor = open(AtomicFile.folder(of: path) ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  /// Locks the folder of `path` if no other process has. Returns `nil` if one has.
  package init?(ifFreeOf path: String) {
    descriptor = open(AtomicFile.folder(of: path) ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      if errno != EINTR { return }
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}

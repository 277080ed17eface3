#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Held by the process that records into a database. Whoever holds it knows that no other process goes on with a session
/// that was not ended in order. It ends with the process, however that ends.
package final class RecordingLock: Sendable {
  private let descriptor: Int32

  /// `nil` when another process holds the lock, or it cannot be had in this place. The lock is a file of its own beside
  /// the database, because closing the database's own file would end SQLite's locks on it.
  package init?(database path: String) {
    let descriptor = open(path + "-recording", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit {
    // Closing alone would leave the lock to a child process that was forked a moment ago and has not begun its program.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

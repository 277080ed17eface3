#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Held by the processes that record into a database, or by one that changes it so that nobody may record meanwhile: a file
/// of its own beside the database, because closing the database's own file would end SQLite's locks on it. It ends with
/// the process, however that ends.
package final class RecordingLock: Sendable {
  /// Another recorder holds the file alone for the moment in which it looks whether it is.
  private static let (attempts, pause) = (10, useconds_t(20_000))

  private let descriptor: Int32
  /// Whether no other process recorded when this one began: what was not ended in order was cut off, and nobody goes on
  /// with it.
  package let isAlone: Bool

  /// For a process that records, before it opens the database; `nil` when a process holds the lock that wants nobody to.
  /// Where there can be no such file, nobody is kept out, and `isAlone` is `false`.
  package static func recording(database path: String) -> RecordingLock? {
    guard let descriptor = file(path) else { return RecordingLock(-1, isAlone: false) }
    for attempt in 0..<attempts {
      if attempt > 0 { usleep(pause) }
      let isAlone = flock(descriptor, LOCK_EX | LOCK_NB) == 0
      if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return RecordingLock(descriptor, isAlone: isAlone) }
    }
    close(descriptor)
    return nil
  }

  /// For a process that changes what nobody may record into; `nil` when somebody does, or there can be no such file.
  package static func alone(database path: String) -> RecordingLock? {
    guard let descriptor = file(path) else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    return RecordingLock(descriptor, isAlone: true)
  }

  private init(_ descriptor: Int32, isAlone: Bool) {
    (self.descriptor, self.isAlone) = (descriptor, isAlone)
  }

  private static func file(_ path: String) -> Int32? {
    let descriptor = open(path + "-recording", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    return descriptor < 0 ? nil : descriptor
  }

  /// Whether others are kept out.
  package var isHeld: Bool { descriptor >= 0 }

  deinit {
    guard isHeld else { return }
    // Closing alone would leave the lock to a child process that was forked a moment ago and has not begun its program.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

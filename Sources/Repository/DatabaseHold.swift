import Synchronization

/// What lasts as long as a database is open; shared by the copies of its value.
final class DatabaseHold: Sendable {
  /// What passes over trends know of the sessions; one for all of them, since each changes what the others look at. Used only
  /// within transactions that write.
  let sessionSpans = Mutex(SessionSpans())
  /// `nil` for a database in memory or one that is only read.
  let lock: DatabaseLock?
  /// Called once: when the database is closed, or when the last copy of its value is gone.
  private let atEnd = Mutex<@Sendable () -> Void> {}

  private let file: DatabaseFile
  /// The file that was opened; `nil` where that does not matter.
  private let identity: DatabaseFile.Identity?
  private let closed = Atomic(false)
  /// Recorders that did not store what they held when they were asked to.
  let silentRecorders = Atomic(0)

  /// Of a database that is open already.
  init(path: String, lock: DatabaseLock? = nil) {
    self.lock = lock
    file = DatabaseFile(path: path)
    identity = lock == nil ? nil : file.identity
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Whether another file, or none, has the path by now: a program that knows nothing of the lock has put it there.
  var isReplaced: Bool { identity != nil && file.identity != identity }

  deinit {
    // As where a command throws.
    if close(), !isReplaced { end() }
  }

  /// Gives it what to call at the end.
  func setEnd(_ body: @escaping @Sendable () -> Void) { atEnd.withLock { $0 = body } }

  /// Tidies up after the last use.
  func end() { atEnd.withLock { $0 }() }

  /// Notes that the database is closed; `true` for the call that was the first.
  func close() -> Bool {
    !closed.exchange(true, ordering: .acquiringAndReleasing)
  }
}

import Synchronization

/// The state of an open database, shared by the copies of its value.
final class DatabaseHold: Sendable {
  /// The session spans that trend passes use. They are shared by all passes, since each pass changes the data that the others
  /// read. Used only within write transactions.
  let sessionSpans = Mutex(SessionSpans())
  /// `nil` for a database in memory or one that is only read.
  let lock: DatabaseLock?
  /// Called when the database is closed, when the last copy of its value is released, or by `abandoning`.
  private let atEnd = Mutex<@Sendable () -> Void> {}

  private let file: DatabaseFile
  /// The identity of the file that was opened, or `nil` for a database without a lock.
  private let identity: DatabaseFile.Identity?
  private let closed = Atomic(false)
  /// The number of recorders that did not answer the request to commit.
  let silentRecorders = Atomic(0)

  /// Creates the state of a database that is already open.
  init(path: String, lock: DatabaseLock? = nil) {
    self.lock = lock
    file = DatabaseFile(path: path)
    identity = lock == nil ? nil : file.identity
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Whether the path now refers to another file or to no file, because a program that ignores the lock has replaced or removed
  /// it.
  var isReplaced: Bool { identity != nil && file.identity != identity }

  deinit {
    // The database was not closed, for example because a command threw an error.
    if close(), !isReplaced { end() }
  }

  /// Sets the function that `end` calls.
  func setEnd(_ body: @escaping @Sendable () -> Void) { atEnd.withLock { $0 = body } }

  /// Calls the function set by `setEnd`.
  func end() { atEnd.withLock { $0 }() }

  /// Marks the database as closed. Returns `true` for the first call.
  func close() -> Bool {
    !closed.exchange(true, ordering: .acquiringAndReleasing)
  }
}

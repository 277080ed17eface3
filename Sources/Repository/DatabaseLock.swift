import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock that coordinates the processes that use a database. It ends with the process, however that ends, and is not inherited
/// by child processes.
///
/// | use | beside recorders | beside other writers | beside readers |
/// |---|---|---|---|
/// | `writing`, `recording` | yes | yes | yes |
/// | `exclusive` | no | no | yes, as SQLite isolates them; a file changes its name only while none is opening it |
package final class DatabaseLock: Sendable {
  /// Whether a database was used at this path, as its lock file shows.
  package static func wasUsed(database path: String) -> Bool { LockFile.exists(database: path) }

  package enum Use: Sendable {
    /// A shared lock, for writing to a database.
    case writing
    /// A shared lock, for recording into a database, including the continuation of a session that was interrupted.
    case recording
    /// An exclusive lock, for deleting from a database or replacing it.
    case exclusive
  }

  /// How long a writer waits for a process that holds the database exclusively. A process that requests the exclusive lock does
  /// not wait for writers: it would replace what they are storing.
  private static let timeout = Duration.seconds(1)
  /// How long to wait for a recorder that starts: it holds its lock exclusively while it checks whether it is the only
  /// recorder.
  private static let probe = Duration.milliseconds(200)
  private static let pause = useconds_t(10_000)

  /// Whether no other process was recording when this one began. Sessions that are not complete were interrupted then, and no
  /// other process continues them. `false` for `writing`.
  package let isAlone: Bool
  private let file: Mutex<LockFile?>
  private let isReserveInUse = Atomic<Bool>(false)

  /// Locks a database, which need not exist, in an existing folder. Throws `locked`, `inUseByRecorder`, `inUseByWriter`, or
  /// `notLocked` or `full` if there can be no lock.
  package convenience init(database path: String, for use: Use) throws(RepositoryError) {
    try self.init(database: path, for: use, calls: .system)
  }

  /// Locks a database with the given calls instead of those of the system.
  convenience init(database path: String, for use: Use, calls: LockCalls) throws(RepositoryError) {
    switch use {
    case .writing: try self.init(shared: path, recording: false, calls)
    case .recording: try self.init(shared: path, recording: true, calls)
    case .exclusive: try self.init(exclusive: path, calls)
    }
  }

  /// Excludes only recorders from a database, for a process that already writes to it and appends to a session that may be
  /// being recorded. Throws `inUseByRecorder` and the errors of `init(database:for:)`.
  package static func withoutRecorders(database path: String) throws(RepositoryError) -> DatabaseLock {
    let file = try open(path, .system)
    guard try file.lockRecording(.exclusive) else { throw .inUseByRecorder(path: path) }
    return DatabaseLock(file, isAlone: true)
  }

  private init(_ file: LockFile, isAlone: Bool) {
    self.isAlone = isAlone
    self.file = Mutex(file)
  }

  private convenience init(shared path: String, recording: Bool, _ calls: LockCalls) throws(RepositoryError) {
    let end = ContinuousClock.now + Self.timeout
    while true {
      let file = try Self.open(path, calls)
      if try file.lock(.writing, .shared) {
        // Otherwise the file was deleted by the process that created it and then refused the database.
        guard file.isCurrent else { continue }
        if let isAlone = recording ? try Self.joinRecorders(file) : false {
          self.init(file, isAlone: isAlone)
          return
        }
      }
      guard ContinuousClock.now < end else { throw .locked(path: path) }
      usleep(Self.pause)
    }
  }

  /// Acquires the shared lock of recorders. Returns whether this recorder is the only one, or `nil` if recorders are excluded.
  private static func joinRecorders(_ file: LockFile) throws(RepositoryError) -> Bool? {
    let end = ContinuousClock.now + probe
    repeat {
      let isAlone = try file.lockRecording(.exclusive)
      if try file.lockRecording(.shared) { return isAlone }
      usleep(pause)
    } while ContinuousClock.now < end
    return nil
  }

  private convenience init(exclusive path: String, _ calls: LockCalls) throws(RepositoryError) {
    let end = ContinuousClock.now + Self.probe
    while true {
      let file = try Self.open(path, calls)
      let isWritten = try !file.lock(.writing, .exclusive)
      let isRecorded = try !file.lockRecording(.exclusive)
      if !isWritten, !isRecorded {
        guard file.isCurrent else { continue }
        self.init(file, isAlone: true)
        return
      }
      if isWritten, file.holder(of: .writing) == .exclusive { throw .locked(path: path) }
      // Recorders hold the lock shared, except while they start.
      if isRecorded, try file.lockRecording(.shared) { throw .inUseByRecorder(path: path) }
      if isWritten { throw .inUseByWriter(path: path) }
      guard ContinuousClock.now < end else { throw .locked(path: path) }
      usleep(Self.pause)
    }
  }

  private static func open(_ path: String, _ calls: LockCalls) throws(RepositoryError) -> LockFile {
    if let file = LockFile.open(database: path, calls: calls) { return file }
    let code = errno
    throw SystemError.error(code, at: path, else: .notLocked(path: LockFile.path(database: path), errno: code))
  }

  /// Returns the path of a database with its links resolved.
  package static func fileName(of path: String) -> String { DatabaseFile.resolved(path) }

  // MARK: - While it is held

  /// Runs `body` while no other process opens the files of the database by their names. For a process that holds the lock
  /// exclusively and gives these names to other files. Throws `busy` if another process takes too long to open the files,
  /// `notLocked`, `closed`, and the errors of `body`.
  package func renaming<Value>(database path: String, _ body: () throws -> Value) throws -> Value {
    let end = ContinuousClock.now + Self.timeout
    return try holding(.name, path, orThrow: .busy(path: path), isOver: { ContinuousClock.now >= end }, body)
  }

  /// Runs `body` while no other process runs its own for this database. For a process that checks what is stored and stores
  /// what is missing. Waits for others without a timeout. Throws `locked` if `isStopped` returns `true` during the wait,
  /// `notLocked` if there can be no lock, `closed`, and the errors of `body`.
  func storing<Value>(database path: String, isStopped: () -> Bool, _ body: () throws -> Value) throws -> Value {
    try holding(.storing, path, orThrow: .locked(path: path), isOver: isStopped, body)
  }

  private func holding<Value>(
    _ byte: LockFile.Byte, _ path: String, orThrow failure: RepositoryError, isOver: () -> Bool,
    _ body: () throws -> Value,
  ) throws -> Value {
    guard let file = file.withLock({ $0 }) else { throw RepositoryError.closed(path: path) }
    while try !file.lock(byte, .exclusive) {
      guard !isOver() else { throw failure }
      usleep(Self.pause)
    }
    defer { file.unlock(byte) }
    return try body()
  }

  /// Attempts to make the lock exclusive. Returns whether that succeeded, which means that no other process uses the database.
  func becomeExclusive() -> Bool {
    file.withLock { $0?.becomeExclusive(.writing) ?? false }
  }

  /// Reserves some disk space in the lock file if the disk has enough. `releaseReserve` frees it for a deletion on a full disk.
  /// Does nothing while a deletion uses it.
  func keepReserve() {
    if isReserveInUse.load(ordering: .relaxed) { return }
    file.withLock { $0?.keepReserve() }
  }

  /// Frees the reserved space for a deletion, until `renewReserve`.
  func releaseReserve() {
    isReserveInUse.store(true, ordering: .relaxed)
    file.withLock { $0?.releaseReserve() }
  }

  /// Reserves the space again that was freed for a deletion, as far as the disk has it. Does nothing if none was freed.
  func renewReserve() {
    guard isReserveInUse.exchange(false, ordering: .relaxed) else { return }
    file.withLock { $0?.renewReserve() }
  }

  /// Releases the lock, and deletes its file if this process created it and no other process uses it. For a database that was
  /// refused.
  package func discard() {
    file.withLock { file in
      file?.discard()
      file = nil
    }
  }

  /// Releases the lock, and deletes its file unless another process uses it, after the database was deleted.
  func remove() {
    file.withLock { file in
      file?.removeIfUnused()
      file = nil
    }
  }

  /// Releases the lock.
  package func release() {
    file.withLock { $0 = nil }
  }
}

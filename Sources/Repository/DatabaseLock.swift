import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What keeps the processes that use a database out of each other's way. It ends with the process, however that ends, and no
/// child inherits it.
///
/// | use | beside recorders | beside other writers | beside readers |
/// |---|---|---|---|
/// | `writing`, `recording` | yes | yes | yes |
/// | `exclusive` | no | no | yes, as SQLite isolates them; a file changes its name only while none is opening it |
package final class DatabaseLock: Sendable {
  package enum Use: Sendable {
    /// For what writes into a database: shared.
    case writing
    /// For what records into a database, and may go on with a session that was cut off: shared.
    case recording
    /// For what deletes from a database or replaces it: exclusive.
    case exclusive
  }

  /// How long a writer waits for who holds the database exclusively. Who wants it exclusively does not wait at all: what it
  /// would replace a moment later is what somebody stores now.
  private static let timeout = Duration.seconds(1)
  /// Another recorder holds its lock exclusively for the moment in which it looks whether it is the only one.
  private static let probe = Duration.milliseconds(200)
  private static let pause = useconds_t(10_000)

  /// Whether no other process recorded when this one began: what was not ended in order was cut off, and nobody goes on
  /// with it.
  package let isAlone: Bool
  private let file: Mutex<LockFile?>
  private let isReserveInUse = Atomic<Bool>(false)

  /// Locks a database, which need not exist; its folder must. Throws `locked`, `inUseByRecorder`, `inUseByWriter`, or why there
  /// can be no lock.
  package convenience init(database path: String, for use: Use) throws(RepositoryError) {
    try self.init(database: path, for: use, calls: .system)
  }

  /// The same, with other calls than those of the system.
  convenience init(database path: String, for use: Use, calls: LockCalls) throws(RepositoryError) {
    switch use {
    case .writing: try self.init(shared: path, recording: false, calls)
    case .recording: try self.init(shared: path, recording: true, calls)
    case .exclusive: try self.init(exclusive: path, calls)
    }
  }

  /// Keeps recorders alone out of a database, for who writes into it already and adds to what may be a recording. Throws
  /// `inUseByRecorder` and what `init(database:for:)` throws.
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
        // Else a process that made the file and refused the database has deleted it meanwhile.
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

  /// Shares the lock of recorders; whether this one is the only one, or `nil` where recorders are kept out.
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
      // A recorder shares its lock, but for the moment in which it begins.
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

  /// The file that the path of a database stands for, behind links.
  package static func fileName(of path: String) -> String { DatabaseFile.resolved(path) }

  // MARK: - While it is held

  /// Runs `body` while nobody opens the files of the database by their names: for who gives these names to other files and
  /// holds the lock exclusively. Throws `busy` where somebody opens them for too long, `notLocked` and what `body` throws.
  package func renaming<Value>(database path: String, _ body: () throws -> Value) throws -> Value {
    let end = ContinuousClock.now + Self.timeout
    return try holding(.name, path, orThrow: .busy(path: path), isOver: { ContinuousClock.now >= end }, body)
  }

  /// Runs `body` while nobody else does the same with this database: for who looks what is stored and stores what is not. Waits
  /// for others as long as they take; throws `locked` where `isStopped` says that this one shall not wait any more,
  /// `notLocked` where there can be no lock, and what `body` throws.
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

  /// Whether nobody else uses the database; the lock is exclusive then.
  func becomeExclusive() -> Bool {
    file.withLock { $0?.becomeExclusive(.writing) ?? false }
  }

  /// Occupies some room on the disk, in the file that carries the lock, where there is enough: `releaseReserve` gives it to a
  /// deletion when nothing else is left.
  /// Not while a deletion uses it.
  func keepReserve() {
    if isReserveInUse.load(ordering: .relaxed) { return }
    file.withLock { $0?.keepReserve() }
  }

  /// Gives the room to a deletion, until `renewReserve`.
  func releaseReserve() {
    isReserveInUse.store(true, ordering: .relaxed)
    file.withLock { $0?.releaseReserve() }
  }

  /// Occupies the room again that a deletion was given, as far as there is so much. Does nothing where none was given.
  func renewReserve() {
    guard isReserveInUse.exchange(false, ordering: .relaxed) else { return }
    file.withLock { $0?.renewReserve() }
  }

  /// Lets go of it, and deletes its file where this process made it and nobody else uses it: for a database that was refused.
  package func discard() {
    file.withLock { file in
      file?.discard()
      file = nil
    }
  }

  /// Lets go of it.
  package func release() {
    file.withLock { $0 = nil }
  }
}

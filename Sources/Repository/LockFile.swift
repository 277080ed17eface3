#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lock file of a database, `FILE-recording`. It is a separate file because closing the database's own file would
/// release SQLite's locks on it.
///
/// It has four locks. Recorders share the whole-file lock of `flock`, as version 0.1.0 does. Bytes 0 to 2 have locks of the
/// open file description (`F_OFD_SETLK`), which are independent of it and of SQLite's. All of them end with the process.
///
/// The file is kept beside a database in use, because processes that wait for a lock have it open. A process that creates it
/// for a database that it then refuses deletes it while it is the only user; a process that acquires a lock verifies that the
/// file still has its name.
final class LockFile: Sendable {
  /// The meaning of a byte of the file.
  enum Byte: Int {
    /// Shared by processes that have the database open for writing; exclusive while it is rewritten or replaced.
    case writing = 0
    /// Shared while the files of the database are opened by their names; exclusive while other files get these names.
    case name = 1
    /// Exclusive while a recording is compared with what is stored, and stored.
    case storing = 2
  }

  enum Mode: Equatable {
    case shared, exclusive

    fileprivate var type: Int32 { self == .shared ? F_RDLCK : F_WRLCK }
    fileprivate var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
  }

  private static let suffix = "-recording"
  // These values of <fcntl.h> are defined under a macro that Swift does not import. They are the same on all Linux
  // architectures.
  private static let (getLock, setLock): (Int32, Int32) = (36, 37)

  let path: String
  let descriptor: Int32
  /// Whether this process created the file.
  let isNew: Bool
  private let calls: LockCalls

  /// Opens the lock file of a database, or creates it with the mode and owner of the database, so that a file created by root
  /// does not lock out other users. Returns `nil` and sets `errno` on failure.
  static func open(database: String, calls: LockCalls = .system) -> LockFile? {
    let path = Self.path(database: database)
    while true {
      let existing = Glibc.open(path, O_RDWR | O_CLOEXEC)
      if existing >= 0 { return LockFile(path, existing, isNew: false, calls) }
      guard errno == ENOENT else { return nil }
      let made = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if made >= 0 {
        adopt(made, from: database)
        return LockFile(path, made, isNew: true, calls)
      }
      // Another process created it first.
      guard errno == EEXIST else { return nil }
    }
  }

  /// Opens the lock file of a database for its shared locks, or returns `nil` if it does not exist or cannot be read.
  static func openExisting(database: String) -> LockFile? {
    let path = Self.path(database: database)
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    return descriptor < 0 ? nil : LockFile(path, descriptor, isNew: false, .system)
  }

  /// Whether a database has a lock file.
  static func exists(database: String) -> Bool { access(path(database: database), F_OK) == 0 }

  /// The path of the lock file, beside the resolved database: a symbolic link shares the locks and SQLite's log of its target.
  static func path(database: String) -> String { DatabaseFile.resolved(database) + suffix }

  private init(_ path: String, _ descriptor: Int32, isNew: Bool, _ calls: LockCalls) {
    (self.path, self.descriptor, self.isNew, self.calls) = (path, descriptor, isNew, calls)
  }

  deinit {
    // Closing alone would leave the locks to a child process that was just forked and has not yet executed its program.
    unlock()
    close(descriptor)
  }

  private static func adopt(_ descriptor: Int32, from database: String) {
    var status = stat()
    guard stat(database, &status) == 0 else { return }
    fchmod(descriptor, (status.st_mode & 0o666) | 0o600)
    if geteuid() == 0 { fchown(descriptor, status.st_uid, status.st_gid) }
  }

  // MARK: - Locks

  /// Whether the open file still has its name.
  var isCurrent: Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  /// Acquires the lock of a byte, or changes its mode. Returns `false`, with the lock unchanged, if another process holds a
  /// conflicting lock. Throws `notLocked` if the file cannot be locked at all.
  func lock(_ byte: Byte, _ mode: Mode) throws(RepositoryError) -> Bool {
    var range = Self.range(byte, mode.type)
    return try isLocked { calls.bytes(descriptor, Self.setLock, &range) }
  }

  /// Performs a call, and repeats it while signals interrupt it.
  private func isLocked(_ call: () -> Int32) throws(RepositoryError) -> Bool {
    while true {
      switch call() {
      case 0: return true
      case EINTR: continue
      case EAGAIN, EACCES: return false
      case let code: throw .notLocked(path: path, errno: code)
      }
    }
  }

  /// The mode of the lock of another process that prevents an exclusive lock of a byte, or `nil`.
  func holder(of byte: Byte) -> Mode? {
    var range = Self.range(byte, F_WRLCK)
    guard calls.bytes(descriptor, Self.getLock, &range) == 0, Int32(range.l_type) != F_UNLCK else { return nil }
    return Int32(range.l_type) == F_WRLCK ? .exclusive : .shared
  }

  func unlock(_ byte: Byte) {
    var range = Self.range(byte, F_UNLCK)
    _ = calls.bytes(descriptor, Self.setLock, &range)
  }

  /// Acquires the lock of recorders. Returns `false` if another process holds a conflicting lock; throws like `lock`.
  func lockRecording(_ mode: Mode) throws(RepositoryError) -> Bool {
    try isLocked { calls.file(descriptor, mode.operation | LOCK_NB) }
  }

  func unlockRecording() {
    _ = calls.file(descriptor, LOCK_UN)
  }

  /// Acquires exclusive locks of the bytes and of recorders. Returns `false` if another process uses the database.
  func becomeExclusive(_ bytes: Byte...) -> Bool {
    do throws(RepositoryError) {
      for byte in bytes where try !lock(byte, .exclusive) { return false }
      return try lockRecording(.exclusive)
    } catch {
      return false
    }
  }

  /// Releases the locks of recorders and of the database, but not that of `storing`.
  func unlock() {
    unlock(.writing)
    unlock(.name)
    unlockRecording()
  }

  /// Releases the locks, and deletes the file if this process created it and no other process uses it.
  func discard() {
    defer { unlock() }
    if isNew { removeIfUnused() }
  }

  /// Deletes the file if no other process uses it.
  func removeIfUnused() {
    if becomeExclusive(.writing, .name), isCurrent { unlink(path) }
  }

  // MARK: - Reserve

  /// The size, in bytes, that the file reserves for deletions on a full disk: a deletion in small parts needs about 100 kB for
  /// log and index.
  static let reserve = 262_144

  /// Allocates the reserve if it is not allocated and the disk has enough space.
  func keepReserve() {
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_blocks) * 512 < Self.reserve,
      let space = FreeSpace(at: path), !space.isLow
    else { return }
    occupy(Self.reserve, instead: Int(status.st_blocks) * 512)
  }

  /// Allocates the reserve at the end of a deletion, also on a disk with little space: as much of it as `reserve(in:)` returns.
  func renewReserve() {
    var status = stat()
    guard fstat(descriptor, &status) == 0, let space = FreeSpace(at: path) else { return }
    let occupied = Int(status.st_blocks) * 512
    // The space that it occupies now counts as free for it.
    let size = Self.reserve(in: space.bytes.addingReportingOverflow(UInt64(occupied)).partialValue)
    if size > occupied { occupy(size, instead: occupied) }
  }

  /// Returns how much of `bytes` of free space a deletion reserves for the next one: the whole reserve if there is enough
  /// space, otherwise half of the space, because recording needs room for the log, but at least what a deletion needs; 0 if
  /// there is less than that.
  static func reserve(in bytes: UInt64) -> Int {
    let least = UInt64(DeletionRepository.leastRoom)
    return bytes < least ? 0 : Int(min(UInt64(reserve), max(least, bytes / 2)))
  }

  private func occupy(_ size: Int, instead occupied: Int) {
    if posix_fallocate(descriptor, 0, off_t(size)) != 0 { ftruncate(descriptor, off_t(occupied)) }
  }

  /// Frees the reserve on the disk.
  func releaseReserve() {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_blocks > 0 else { return }
    ftruncate(descriptor, 0)
  }

  private static func range(_ byte: Byte, _ type: Int32) -> flock {
    var range = flock()
    range.l_type = Int16(type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(byte.rawValue)
    range.l_len = 1
    return range
  }
}

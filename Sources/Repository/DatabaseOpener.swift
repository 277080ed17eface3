import GRDB
import Glibc
import TachogramCore

/// Opens the file of a database. Checks and locks it, and leaves no files beside one that it refuses.
struct DatabaseOpener {
  let file: DatabaseFile
  /// How long to wait for another process that uses the database.
  let busyTimeout: Duration
  /// Called with a database of an older version before it is migrated.
  let beforeMigration: (TachogramDatabase) -> Void

  init(path: String, busyTimeout: Duration, beforeMigration: @escaping (TachogramDatabase) -> Void = { _ in }) {
    file = DatabaseFile(path: path)
    self.busyTimeout = busyTimeout
    self.beforeMigration = beforeMigration
  }

  private var translator: SQLiteErrorTranslator { SQLiteErrorTranslator(path: file.path) }

  // MARK: - For writing

  /// Opens the database, and creates it if it is missing. `keepsEmpty` is whether a new database is kept if nothing is stored
  /// in it.
  func open(for use: DatabaseLock.Use, keepsEmpty: Bool = true) throws(RepositoryError) -> TachogramDatabase {
    try file.prepareForWriting()
    let silent = use == .recording ? 0 : CommitRequest.send(database: file.path, timeout: busyTimeout)
    let lock = try lock(use)
    var isMade = false
    file.keepLeftLog(at: SystemTimeSource().now().wall)
    do throws(RepositoryError) {
      isMade = try file.make()
      let database = try openWaiting(lock, for: use)
      database.noteSilentRecorders(silent)
      lock.keepReserve()
      if isMade, !keepsEmpty { database.atEnd { [file] in Self.discard(file, under: lock) } }
      return database
    } catch {
      if isMade { Self.discard(file, under: lock) }
      lock.discard()
      throw error
    }
  }

  /// Deletes the database that this process created, and its lock file, if nothing was stored in it and no other process uses
  /// it.
  private static func discard(_ file: DatabaseFile, under lock: DatabaseLock) {
    guard lock.becomeExclusive(), holdsNothing(file) else { return }
    file.discard()
    lock.discard()
  }

  private func lock(_ use: DatabaseLock.Use) throws(RepositoryError) -> DatabaseLock {
    do throws(RepositoryError) {
      return try DatabaseLock(database: file.path, for: use)
    } catch .notLocked(_, let errno) where file.identity == nil {
      // The lock file is in the same folder, so the database cannot be created either.
      throw .fileNotCreated(path: file.path, errno: errno)
    }
  }

  /// On a nearly full disk, a deletion opens the database without shared memory, which needs space, or, if another process has
  /// it open, frees the reserved space.
  private func openWaiting(
    _ lock: DatabaseLock, for use: DatabaseLock.Use,
  ) throws(RepositoryError) -> TachogramDatabase {
    guard let space = FreeSpace(at: file.path), space.isLow else { return try openWaiting(lock) }
    if use == .exclusive {
      do throws(RepositoryError) {
        return try openQueue(.alone, lock)
      } catch .busy {
        lock.releaseReserve()
      }
    }
    if FreeSpace(at: file.path)?.endangersSharedMemory ?? false { throw .full(path: file.path) }
    return try openWaiting(lock)
  }

  private func openWaiting(_ lock: DatabaseLock) throws(RepositoryError) -> TachogramDatabase {
    let end = ContinuousClock.now + busyTimeout
    while true {
      do throws(RepositoryError) {
        return try openPool(lock)
      } catch {
        // If several processes create the same database at once, SQLite reports a conflict without waiting.
        guard error == .busy(path: file.path), ContinuousClock.now < end else { throw error }
        usleep(1_000)
      }
    }
  }

  /// Whether all tables of a database that no other process uses are empty, as when its creation was interrupted.
  private static func holdsNothing(_ file: DatabaseFile) -> Bool {
    if file.isEmpty { return true }
    var configuration = configuration(busyTimeout: .zero)
    // Does not use shared memory, for which the disk may have no space.
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    guard let queue = try? DatabaseQueue(path: file.path, configuration: configuration) else { return false }
    let isEmpty = try? queue.read { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
      return try tables.allSatisfy { table in
        if table == "grdb_migrations" { return true }
        return try Int.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table.quotedDatabaseIdentifier))") == 0
      }
    }
    try? queue.close()
    return isEmpty ?? false
  }

  private func openPool(_ lock: DatabaseLock) throws(RepositoryError) -> TachogramDatabase {
    var configuration = Self.configuration(busyTimeout: busyTimeout)
    configuration.prepareDatabase { [file] db in
      // Validated before anything is written, including the switch to WAL, so that a file of another program is not changed.
      if db.configuration.readonly { return }
      // A transaction, since another process may be creating the tables.
      try db.inTransaction(.deferred) {
        try SchemaMigrator.validate(db, path: file.path)
        return .commit
      }
    }
    do {
      let pool = try DatabasePool(path: file.path, configuration: configuration)
      // GRDB has set NORMAL, which may lose the last commits on a power cut.
      try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
      return try TachogramDatabase(writer: pool, path: file.path, lock: lock, beforeMigration: beforeMigration)
    } catch {
      throw translator.translate(error)
    }
  }

  // MARK: - For reading

  /// Opens the database for reading. All of its files stay open, so that a reader is not affected if the database is replaced.
  /// With `isCopy`, older versions are accepted as well, and no new files are left beside the database. `older` is how a database
  /// with an older schema is read.
  func openReadOnly(
    isCopy: Bool, older: TachogramDatabase.OlderReading? = nil
  ) throws(RepositoryError) -> TachogramDatabase {
    let older = older ?? (isCopy ? .asStored : .refused)
    try file.checkReadable()
    // A backup tool may have given a copy several names, and no process writes to a copy.
    if !isCopy { try file.checkSoleName() }
    try DatabaseHeader(path: file.path).check()
    // SQLite would delete the log.
    if file.isEmpty, file.hasLog {
      throw .emptied(path: file.path, copies: SnapshotFolder(nil, database: file.path).path)
    }
    let silent = isCopy ? 0 : CommitRequest.send(database: file.path, timeout: busyTimeout)
    let hadSharedMemory = file.hasSharedMemory
    let isBare = isCopy && !file.hasCompanions
    let end = ContinuousClock.now + busyTimeout
    while true {
      let (name, isMissing) = lockName(until: end)
      defer { withExtendedLifetime(name) {} }
      let identity = file.identity
      let database: TachogramDatabase
      do throws(RepositoryError) {
        database = try openReadOnlyOnce(older) { [file] in
          if isCopy, !hadSharedMemory { Self.tidy(file) }
          if isBare { file.discardCompanions() }
          Self.tidyLog(of: file, identity)
        }
      } catch {
        if !hadSharedMemory, error.isRefusal { Self.tidy(file) }
        if isBare { file.discardCompanions() }
        Self.tidyLog(of: file, identity)
        throw error
      }
      // Without a lock file, a process that has created one since may have replaced the database.
      let isSettled = !isMissing || !LockFile.exists(database: file.path) || ContinuousClock.now >= end
      if isSettled, file.identity == identity {
        database.noteSilentRecorders(silent)
        return database
      }
      try database.close()
      guard ContinuousClock.now < end else { throw .busy(path: file.path) }
    }
  }

  /// Acquires the lock that keeps the name of the database with its file. Returns no lock if the lock file is missing, as
  /// nothing has written to the database since it was put there, if this user cannot read or lock it, or after `end`.
  private func lockName(until end: ContinuousClock.Instant) -> (lock: LockFile?, isMissing: Bool) {
    while true {
      guard let name = LockFile.openExisting(database: file.path) else { return (nil, errno == ENOENT) }
      // Readers do without a lock on a file system that has none.
      guard let isLocked = try? name.lock(.name, .shared) else { return (nil, false) }
      if isLocked {
        if name.isCurrent { return (name, false) }
        continue
      }
      guard ContinuousClock.now < end else { return (nil, false) }
      usleep(1_000)
    }
  }

  /// On a full disk, there may be no space for the shared memory of a log. SQLite needs none with exclusive access to the
  /// database.
  private func openReadOnlyOnce(
    _ older: TachogramDatabase.OlderReading, atEnd: @escaping @Sendable () -> Void,
  ) throws(RepositoryError) -> TachogramDatabase {
    let end = ContinuousClock.now + busyTimeout
    while true {
      if FreeSpace(at: file.path)?.isUsedUp ?? false, access(file.path, W_OK) == 0 {
        do throws(RepositoryError) {
          return try openQueue(.reading(older, alone: true), atEnd: atEnd)
        } catch .busy {
          // Another process has the database open, so its shared memory exists.
        }
      }
      do throws(RepositoryError) {
        return try openQueue(.reading(older, alone: false), atEnd: atEnd)
      } catch .full {
        guard access(file.path, W_OK) == 0, ContinuousClock.now < end else { throw .full(path: file.path) }
        usleep(10_000)
      } catch .cannotOpen where !file.hasCompanions && StorageFacts.isReadOnly(database: file.path) {
        // Without a log, nothing is missing from the file, and no process can change it.
        return try openQueue(.unchanging(older), atEnd: atEnd)
      }
    }
  }

  /// The purpose of a single connection.
  private enum Connection {
    case reading(TachogramDatabase.OlderReading, alone: Bool)
    /// Reading a file that nobody can write, without the files that SQLite has beside it.
    case unchanging(TachogramDatabase.OlderReading)
    /// Writing with exclusive access.
    case alone

    var isAlone: Bool {
      switch self {
      case .alone: true
      case .unchanging: false
      case .reading(_, let isAlone): isAlone
      }
    }
  }

  private func openQueue(
    _ connection: Connection, _ lock: DatabaseLock? = nil, atEnd: @escaping @Sendable () -> Void = {},
  ) throws(RepositoryError) -> TachogramDatabase {
    // Exclusive access is not waited for: a process that has the database open has shared memory that can be used.
    var configuration = Self.configuration(busyTimeout: connection.isAlone ? .zero : busyTimeout)
    configuration.readonly = !connection.isAlone
    if connection.isAlone {
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL")
      }
    }
    do {
      var name = file.path
      if case .unchanging = connection { name = file.unchangingName }
      let queue = try DatabaseQueue(path: name, configuration: configuration)
      switch connection {
      case .alone: return try TachogramDatabase(writer: queue, path: file.path, lock: lock)
      case .reading(let older, _), .unchanging(let older):
        return try TachogramDatabase(reading: queue, path: file.path, older: older, atEnd: atEnd)
      }
    } catch {
      throw translator.translate(error)
    }
  }

  /// Opens and closes a database that was refused or only read, so that SQLite removes the files that it created beside it. They
  /// stay if there is no space to open it.
  private static func tidy(_ file: DatabaseFile) {
    if FreeSpace(at: file.path)?.endangersSharedMemory ?? false { return }
    guard access(file.path, W_OK) == 0, let queue = try? DatabaseQueue(path: file.path) else { return }
    _ = try? queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
    try? queue.close()
  }

  /// Tidies a database if its log is empty and its path still refers to the file that was read: a reader leaves no files of its
  /// own, and none of an earlier reader that was interrupted. SQLite keeps the files that another process uses.
  private static func tidyLog(of file: DatabaseFile, _ identity: DatabaseFile.Identity?) {
    guard file.hasEmptyLog else { return }
    let name = LockFile.openExisting(database: file.path)
    defer { withExtendedLifetime(name) {} }
    if let name {
      guard (try? name.lock(.name, .shared)) ?? false, name.isCurrent else { return }
    }
    if file.identity == identity { tidy(file) }
  }

  // MARK: - Configuration

  static func configuration(busyTimeout: Duration) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(busyTimeout / .seconds(1))
    configuration.prepareDatabase { db in
      // The settings that SQLite recommends for files that another program may have changed (sqlite.org/security.html),
      // deletions that overwrite the deleted data, and a log that shrinks again after a long import.
      try db.execute(
        sql: """
          PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON;
          PRAGMA secure_delete = ON;
          PRAGMA journal_size_limit = 4194304;
          """)
    }
    return configuration
  }
}

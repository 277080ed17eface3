import GRDB
import Glibc

/// Opens the file of a database: checks it, locks it, and leaves nothing beside one that it refuses.
struct DatabaseOpener {
  let file: DatabaseFile
  /// How long to wait for another process that uses the database.
  let busyTimeout: Duration
  /// Called with a database of an older version before it is changed.
  let beforeMigration: (TachogramDatabase) -> Void

  init(path: String, busyTimeout: Duration, beforeMigration: @escaping (TachogramDatabase) -> Void = { _ in }) {
    file = DatabaseFile(path: path)
    self.busyTimeout = busyTimeout
    self.beforeMigration = beforeMigration
  }

  private var translator: SQLiteErrorTranslator { SQLiteErrorTranslator(path: file.path) }

  // MARK: - For writing

  /// Opens the database, and makes it where it is missing; `keepsEmpty`: also to stay where nothing is stored.
  func open(for use: DatabaseLock.Use, keepsEmpty: Bool = true) throws(RepositoryError) -> TachogramDatabase {
    try file.prepareForWriting()
    let silent = use == .recording ? 0 : CommitRequest.send(database: file.path, timeout: busyTimeout)
    let lock = try lock(use)
    var isMade = false
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

  /// Deletes the database that this process made, and the file of its lock, where nobody stored anything in it and nobody else
  /// uses it.
  private static func discard(_ file: DatabaseFile, under lock: DatabaseLock) {
    guard lock.becomeExclusive(), holdsNothing(file) else { return }
    file.discard()
    lock.discard()
  }

  private func lock(_ use: DatabaseLock.Use) throws(RepositoryError) -> DatabaseLock {
    do throws(RepositoryError) {
      return try DatabaseLock(database: file.path, for: use)
    } catch .notLocked(_, let errno) where file.identity == nil {
      // Where there can be no lock there can be no database either.
      throw .fileNotCreated(path: file.path, errno: errno)
    }
  }

  /// On a disk with little room, what deletes does without shared memory, which needs some, unless somebody reads; and it may
  /// use what is kept for it.
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
        // Several processes that make the same database at once get in each other's way, which SQLite answers at once.
        guard error == .busy(path: file.path), ContinuousClock.now < end else { throw error }
        usleep(1_000)
      }
    }
  }

  /// Whether no row is in any table of a database that nobody else uses, as when its making was cut off.
  private static func holdsNothing(_ file: DatabaseFile) -> Bool {
    if file.isEmpty { return true }
    var configuration = configuration(busyTimeout: .zero)
    // Without shared memory, for which there may be no room.
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
      // Before anything is written, the switch to WAL included: a file of somebody else stays as it is.
      if db.configuration.readonly { return }
      // One state, while another process may be making the tables.
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

  /// Opens the database for reading. All files of it are open then: whoever puts another in its place takes nothing from who
  /// reads it. `isCopy`: of a version that has to be brought up to date, too, and with nothing beside it at the end.
  func openReadOnly(isCopy: Bool) throws(RepositoryError) -> TachogramDatabase {
    try file.checkReadable()
    // A tool that keeps copies may have given one several names; nobody writes to it.
    if !isCopy { try file.checkSoleName() }
    try DatabaseHeader(path: file.path).check()
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
        database = try openReadOnlyOnce(isCopy) { [file] in
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
      // Without a lock, a process that makes one meanwhile may have changed the name under it.
      let isSettled = !isMissing || !LockFile.exists(database: file.path) || ContinuousClock.now >= end
      if isSettled, file.identity == identity {
        database.noteSilentRecorders(silent)
        return database
      }
      try database.close()
      guard ContinuousClock.now < end else { throw .busy(path: file.path) }
    }
  }

  /// Keeps the name of the database with its file; no lock where it is missing, as nothing wrote to the database since it was
  /// put there, or where this user may not read it.
  private func lockName(until end: ContinuousClock.Instant) -> (lock: LockFile?, isMissing: Bool) {
    while true {
      guard let name = LockFile.openExisting(database: file.path) else { return (nil, errno == ENOENT) }
      // Who reads does without a lock where there can be none.
      guard let isLocked = try? name.lock(.name, .shared) else { return (nil, false) }
      if isLocked {
        if name.isCurrent { return (name, false) }
        continue
      }
      guard ContinuousClock.now < end else { return (nil, false) }
      usleep(1_000)
    }
  }

  /// On a full disk there may be no room for the shared memory of a log. With the database for itself SQLite needs none.
  private func openReadOnlyOnce(
    _ acceptsOlder: Bool, atEnd: @escaping @Sendable () -> Void,
  ) throws(RepositoryError) -> TachogramDatabase {
    let end = ContinuousClock.now + busyTimeout
    while true {
      if FreeSpace(at: file.path)?.isUsedUp ?? false, access(file.path, W_OK) == 0 {
        do throws(RepositoryError) {
          return try openQueue(.reading(acceptsOlder: acceptsOlder, alone: true), atEnd: atEnd)
        } catch .busy {
          // Another process has it open, and shared memory for it.
        }
      }
      do throws(RepositoryError) {
        return try openQueue(.reading(acceptsOlder: acceptsOlder, alone: false), atEnd: atEnd)
      } catch .full {
        guard access(file.path, W_OK) == 0, ContinuousClock.now < end else { throw .full(path: file.path) }
        usleep(10_000)
      }
    }
  }

  /// What a single connection is for.
  private enum Connection {
    case reading(acceptsOlder: Bool, alone: Bool)
    /// Writing, with nobody else.
    case alone

    var isAlone: Bool {
      switch self {
      case .alone: true
      case .reading(_, let isAlone): isAlone
      }
    }
  }

  private func openQueue(
    _ connection: Connection, _ lock: DatabaseLock? = nil, atEnd: @escaping @Sendable () -> Void = {},
  ) throws(RepositoryError) -> TachogramDatabase {
    // Whoever has it open already has shared memory for all.
    var configuration = Self.configuration(busyTimeout: connection.isAlone ? .zero : busyTimeout)
    configuration.readonly = !connection.isAlone
    if connection.isAlone {
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL")
      }
    }
    do {
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      switch connection {
      case .alone: return try TachogramDatabase(writer: queue, path: file.path, lock: lock)
      case .reading(let acceptsOlder, _):
        return try TachogramDatabase(
          reading: queue, path: file.path, acceptsOlder: acceptsOlder, atEnd: atEnd)
      }
    } catch {
      throw translator.translate(error)
    }
  }

  /// Has SQLite remove what it made beside a database that was refused or only looked at.
  private static func tidy(_ file: DatabaseFile) {
    guard access(file.path, W_OK) == 0, let queue = try? DatabaseQueue(path: file.path) else { return }
    _ = try? queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
    try? queue.close()
  }

  /// The same where the log holds nothing, and under the name that was read: who only reads leaves nothing of its own, and
  /// nothing of a reader before it that was cut off. SQLite leaves what another process uses.
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
      // What SQLite advises for files that somebody else may have touched (sqlite.org/security.html), deletions that
      // overwrite what they delete, and a log that shrinks again after a long import.
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

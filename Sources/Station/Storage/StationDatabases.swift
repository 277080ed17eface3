import FileSystem
import Logging
import Presentation
import Repository
import Sessions
import StressKit
import TachogramCore

/// The databases of the station: the one whose history the page shows, and the one that is recorded into. They are the same,
/// unless the database cannot be brought up to date with this version of the program, is damaged, or cannot be written.
package struct StationDatabases: Sendable {
  package let database: TachogramDatabase
  package let recording: TachogramDatabase
  /// The problem with the databases and its remedy, in words, or `nil`.
  package let problem: String?

  /// The verified copies of the database.
  let copies: SnapshotFolder
  /// What the station waits for, or `nil` if it records into the database.
  package private(set) var retry: Retry?
  /// Keeps the database from being replaced while it is held back, as by `tachogram restore`.
  private var lock: DatabaseLock?

  /// What a station waits for that does not record into its database.
  package enum Retry: Hashable, Sendable {
    /// That the database can be brought up to date.
    case update
    /// That what is in memory can be stored.
    case space
    /// That another file has the name of a damaged one; `nil` for none.
    case otherFile(FileVersion?)
  }

  /// Whether what is received is not stored in the database.
  package var isHeldBack: Bool { retry != nil }

  /// Whether what is received is kept in memory, because there is no space.
  package var isInMemory: Bool { retry == .space }

  /// Whether interrupted sessions may be continued. Of one that could only be added in part, the rest has the next numbers.
  package var mayContinueSessions: Bool { isHeldBack || problem == nil }

  /// Opens the databases. `open` opens the one at `path` for recording and brings it up to date; `copies` are its verified copies.
  /// If that fails, the database is opened for reading, and an interim one beside it for recording, or one in memory if the disk is
  /// full or read-only. The sessions of an earlier interim database are added to a database that can be written.
  package static func open(
    _ path: String, kind: HRVKind, copies: SnapshotFolder, _ logger: Logger,
    open: () throws(RepositoryError) -> TachogramDatabase,
    openInterim: (String) throws(RepositoryError) -> TachogramDatabase = InterimLedger.open,
  ) throws(RepositoryError) -> StationDatabases {
    let interim = InterimLedger(database: path)
    // Before the file is looked at: another one may take its name meanwhile.
    let version = FileVersion(of: path)
    do throws(RepositoryError) {
      try TachogramDatabase.checkNotEmptied(path: path, copies: copies)
      // Before the first snapshot, a strap that was paired shows that there was something in the file.
      if TachogramDatabase.isEmpty(path: path), !PairedMark(database: path).straps.isEmpty {
        throw .emptied(path: path, copies: copies.path)
      }
      let database = try open()
      return StationDatabases(
        database: database, recording: database, problem: interim.merge(into: database, kind: kind, logger),
        copies: copies)
    } catch {
      let held: StationDatabases? =
        switch error {
        case .notMigrated(let path, let cause): heldBack(path, cause, interim, copies, logger, openInterim)
        case .damaged, .emptied: damaged(path, version, error, interim, copies, logger, openInterim)
        // A file that is not recognised was a database if there is a copy of it, or what a station keeps beside it.
        case .notADatabase where !copies.snapshots().isEmpty || DatabaseLock.wasUsed(database: path):
          damaged(path, version, error, interim, copies, logger, openInterim)
        case .full: inMemory(path, error, copies, logger)
        default: StorageFacts.isReadOnly(database: path) ? inMemory(path, error, copies, logger) : nil
        }
      guard let held else { throw error }
      return held.locking(path)
    }
  }

  /// Returns the paired straps. If they cannot be read in the database, they are those of the newest copy that can be read and those of
  /// the mark; throws the error if there are none.
  package func straps() throws(RepositoryError) -> [KnownStrap] {
    do {
      return try StrapRepository(database: database).straps()
    } catch {
      let mark = PairedMark(database: database.path)
      let (isMarked, paired) = (mark.isSet, mark.straps)
      let copied = strapsOfCopy().filter { strap in
        // One that was forgotten since is not recorded.
        !isMarked || paired.contains { $0.address.matches(strap.address) }
      }
      let straps = copied + paired.filter { strap in !copied.contains { $0.address.matches(strap.address) } }
      if straps.isEmpty, database.isAvailable { throw error }
      return straps
    }
  }

  private func strapsOfCopy() -> [KnownStrap] {
    for snapshot in copies.snapshots() {
      if let straps = try? StrapRepository.straps(ofCopy: snapshot.path) { return straps }
    }
    return []
  }

  /// Returns a stand-in for a damaged database, which is left as it is, and the interim one, or `nil` if that cannot be opened.
  private static func damaged(
    _ path: String, _ version: FileVersion?, _ cause: RepositoryError, _ interim: InterimLedger,
    _ copies: SnapshotFolder, _ logger: Logger,
    _ open: (String) throws(RepositoryError) -> TachogramDatabase,
  ) -> StationDatabases? {
    do throws(RepositoryError) {
      let database = try TachogramDatabase.unavailable(path: path, cause)
      let recording: TachogramDatabase
      do throws(RepositoryError) {
        recording = try openInterim(interim, logger, open)
      } catch {
        return inMemory(path, cause, beside: error, copies, logger)
      }
      let what = if case .emptied = cause { "empty, although it was used" } else { "damaged" }
      let newest = copies.newest(at: SystemTimeSource().now().wall)?.time
      let remedy =
        newest.map {
          "Restore a snapshot, under Settings, Snapshots: the newest is of \(Timestamp.text($0).prefix(10))."
        }
        ?? "There is no snapshot of it: to begin a new database, stop the station, move \(path) away, with \(path)-wal if it exists, start it again, and pair the straps."
      let problem = """
        The database is \(what). It is left as it is, and its history cannot be shown; what is received now is stored beside it and \
        will be added. \(remedy)
        """
      logger.critical(
        "the database is damaged",
        metadata: [
          "error": "\(LogText.safe(cause.description))", "interim": "\(LogText.safe(interim.path))",
          "advice": "\(LogText.safe(copies.advice(database: path, at: SystemTimeSource().now().wall)))",
        ])
      return StationDatabases(
        database: database, recording: recording, problem: problem, copies: copies,
        retry: .otherFile(version))
    } catch {
      log(error, logger)
      return nil
    }
  }

  /// Returns the database that cannot be brought up to date because of `cause`, opened for reading, with the interim one, or `nil`
  /// if one of them cannot be opened.
  private static func heldBack(
    _ path: String, _ cause: RepositoryError, _ interim: InterimLedger, _ copies: SnapshotFolder, _ logger: Logger,
    _ open: (String) throws(RepositoryError) -> TachogramDatabase,
  ) -> StationDatabases? {
    do throws(RepositoryError) {
      let database = try TachogramDatabase.openHeldBack(path: path)
      let recording: TachogramDatabase
      do throws(RepositoryError) {
        recording = try openInterim(interim, logger, open)
      } catch {
        try database.close()
        return inMemory(path, cause, beside: error, copies, logger)
      }
      let problem = """
        The database could not be brought up to date: \(LogText.safe(cause.description)) It is as it was and can only be \
        read; what is received now is stored in \(interim.path) and will be added. The station tries again every 15 minutes \
        and at each start. If the cause remains, install the previous version of tachogram, or restore a snapshot.
        """
      logger.critical("the database could not be brought up to date", metadata: ["problem": "\(problem)"])
      return StationDatabases(
        database: database, recording: recording, problem: problem, copies: copies, retry: .update)
    } catch {
      log(error, logger)
      return nil
    }
  }

  /// Returns the same with a lock on the database. Without space there may be no lock.
  private func locking(_ path: String) -> StationDatabases {
    var locked = self
    locked.lock = try? DatabaseLock(database: path, for: .recording)
    return locked
  }

  /// Opens the interim database. One that is damaged is put aside.
  private static func openInterim(
    _ interim: InterimLedger, _ logger: Logger, _ open: (String) throws(RepositoryError) -> TachogramDatabase
  ) throws(RepositoryError) -> TachogramDatabase {
    do throws(RepositoryError) {
      return try open(interim.path)
    } catch {
      log(error, logger)
      switch error {
      case .damaged, .notADatabase:
        guard let aside = interim.setAside() else { throw error }
        logger.error("the damaged file was put aside", metadata: ["file": "\(LogText.safe(aside))"])
        return try open(interim.path)
      default: throw error
      }
    }
  }

  private static func log(_ error: RepositoryError, _ logger: Logger) {
    logger.error(
      "what is received cannot be stored beside the database",
      metadata: ["error": "\(LogText.safe(error.description))"])
  }

  /// Returns the database for reading, with one in memory for recording. If it cannot be read either, as a log on a read-only disk
  /// cannot, its history is not shown. `beside` is why the interim database cannot be opened.
  private static func inMemory(
    _ path: String, _ cause: RepositoryError, beside: RepositoryError? = nil, _ copies: SnapshotFolder,
    _ logger: Logger
  ) -> StationDatabases? {
    let history: String
    let database: TachogramDatabase
    do throws(RepositoryError) {
      database = try TachogramDatabase.openHeldBack(path: path)
      history = "The database is as it was and can only be read."
    } catch {
      switch error {
      case .missing: history = "There is no database yet."
      case .full, .cannotOpen, .readOnly, .inputOutput, .damaged, .notADatabase, .emptyCopy, .emptied:
        history = "The database is as it was, and its history cannot be shown."
      default: return nil
      }
      guard let absent = try? TachogramDatabase.unavailable(path: path, error) else { return nil }
      database = absent
    }
    guard let recording = try? TachogramDatabase.inMemory() else { return nil }
    let isFull =
      switch beside {
      case nil, .full, .readOnly: true
      default: StorageFacts.isReadOnly(database: path)
      }
    let remedy =
      if let beside, !isFull {
        "It cannot be stored beside the database either: \(LogText.safe(beside.description))"
      } else {
        "Make space, or make the disk writable, now."
      }
    let problem = """
      Nothing can be stored: \(LogText.safe(cause.description)) \(history) What is received is kept in memory until the station \
      ends. \(remedy) The station goes on by itself when it can store.
      """
    logger.critical("nothing can be stored", metadata: ["problem": "\(problem)"])
    return StationDatabases(
      database: database, recording: recording, problem: problem, copies: copies, retry: .space)
  }

  /// Closes the databases. What is in memory is stored in the interim database; throws `notKept` if it cannot be.
  package func close() throws(RepositoryError) {
    lock?.release()
    if isInMemory {
      do throws(RepositoryError) {
        try InterimLedger(database: database.path).keep(recording)
      } catch {
        throw .notKept(path: database.path, cause: error)
      }
    }
    if isHeldBack { try recording.close() }
    try database.close()
  }
}

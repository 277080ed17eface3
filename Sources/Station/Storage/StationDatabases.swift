import Logging
import Presentation
import Repository
import StressKit

/// The databases of the station: the one whose history the page shows, and the one that is recorded into. They are the same,
/// unless the database cannot be brought up to date with this version of the program.
package struct StationDatabases: Sendable {
  package let database: TachogramDatabase
  package let recording: TachogramDatabase
  /// The problem with the databases and its remedy, in words, or `nil`.
  package let problem: String?

  /// The place for what is recorded in memory, if there is no space for it now.
  private var later: InterimLedger?
  /// Keeps the database from being replaced while it is held back, as by `tachogram restore`.
  private var lock: DatabaseLock?

  /// Whether the database waits until it can be brought up to date, or until there is space.
  package var isHeldBack: Bool { database.isOlder || isInMemory }

  /// Whether what is received is kept in memory, because there is no space.
  package var isInMemory: Bool { later != nil }

  /// Opens the databases. `open` opens the one at `path` for recording and brings it up to date. If that fails, the database is
  /// opened for reading, and an interim one beside it for recording, or one in memory if the disk is full or read-only. The
  /// sessions of an earlier interim database are added to a database that is up to date.
  package static func open(
    _ path: String, kind: HRVKind, _ logger: Logger, open: () throws(RepositoryError) -> TachogramDatabase,
    openInterim: (String) throws(RepositoryError) -> TachogramDatabase = InterimLedger.open,
  ) throws(RepositoryError) -> StationDatabases {
    let interim = InterimLedger(database: path)
    do throws(RepositoryError) {
      let database = try open()
      return StationDatabases(
        database: database, recording: database, problem: interim.merge(into: database, kind: kind, logger))
    } catch {
      switch error {
      case .notMigrated(let path, let cause):
        if let held = heldBack(path, cause, interim, logger, openInterim) { return held.locking(path) }
      case .full: if let held = inMemory(path, error, interim, logger) { return held.locking(path) }
      default:
        if StorageFacts(database: path).state == .readOnly, let held = inMemory(path, error, interim, logger) {
          return held
        }
      }
      throw error
    }
  }

  /// Returns the database that cannot be brought up to date because of `cause`, opened for reading, with the interim one, or `nil`
  /// if one of them cannot be opened.
  private static func heldBack(
    _ path: String, _ cause: RepositoryError, _ interim: InterimLedger, _ logger: Logger,
    _ open: (String) throws(RepositoryError) -> TachogramDatabase,
  ) -> StationDatabases? {
    do throws(RepositoryError) {
      let database = try TachogramDatabase.openHeldBack(path: path)
      guard let recording = try openInterim(logger, { () throws(RepositoryError) in try open(interim.path) }) else {
        try database.close()
        return inMemory(path, cause, interim, logger)
      }
      let problem = """
        The database could not be brought up to date: \(LogText.safe(cause.description)) It is as it was and can only be \
        read; what is received now is stored in \(interim.path) and will be added. The station tries again every 15 minutes \
        and at each start. If the cause remains, install the previous version of tachogram, or restore a snapshot.
        """
      logger.critical("the database could not be brought up to date", metadata: ["problem": "\(problem)"])
      return StationDatabases(database: database, recording: recording, problem: problem)
    } catch {
      logger.error(
        "what is received cannot be stored beside the database", metadata: ["error": "\(error.description)"])
      return nil
    }
  }

  /// Returns the same with a lock on the database. Without space there may be no lock.
  private func locking(_ path: String) -> StationDatabases {
    var locked = self
    locked.lock = try? DatabaseLock(database: path, for: .recording)
    return locked
  }

  /// Opens the interim database, or returns `nil` if there is no space for it.
  private static func openInterim(
    _ logger: Logger, _ open: () throws(RepositoryError) -> TachogramDatabase
  ) throws(RepositoryError) -> TachogramDatabase? {
    do throws(RepositoryError) {
      return try open()
    } catch {
      switch error {
      case .full, .fileNotCreated, .notLocked, .readOnly, .accessDenied: break
      default: throw error
      }
      logger.error(
        "what is received cannot be stored beside the database", metadata: ["error": "\(error.description)"])
      return nil
    }
  }

  /// Returns the database for reading, with one in memory for recording. If it cannot be read either, as a log on a read-only disk
  /// cannot, its history is not shown.
  private static func inMemory(
    _ path: String, _ cause: RepositoryError, _ interim: InterimLedger, _ logger: Logger
  ) -> StationDatabases? {
    let history: String
    let database: TachogramDatabase
    do throws(RepositoryError) {
      database = try TachogramDatabase.openHeldBack(path: path)
      history = "The database is as it was and can only be read."
    } catch {
      switch error {
      case .missing: history = "There is no database yet."
      case .full, .cannotOpen, .readOnly, .inputOutput:
        history = "The database is as it was, and its history cannot be shown."
      default: return nil
      }
      guard let absent = try? TachogramDatabase.unavailable(path: path, error) else { return nil }
      database = absent
    }
    guard let recording = try? TachogramDatabase.inMemory() else { return nil }
    let problem = """
      Nothing can be stored: \(LogText.safe(cause.description)) \(history) What is received is kept in memory until the station \
      ends: make space, or make the disk writable, now. The station goes on by itself when it can store.
      """
    logger.critical("nothing can be stored", metadata: ["problem": "\(problem)"])
    var databases = StationDatabases(database: database, recording: recording, problem: problem)
    databases.later = interim
    return databases
  }

  /// Closes the databases. What is in memory is stored in the interim database; throws `notKept` if it cannot be.
  package func close() throws(RepositoryError) {
    lock?.release()
    if let later {
      do throws(RepositoryError) {
        try later.keep(recording)
      } catch {
        throw .notKept(path: database.path, cause: error)
      }
    }
    if isHeldBack { try recording.close() }
    try database.close()
  }
}

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

  /// Whether the database waits until it can be brought up to date.
  package var isHeldBack: Bool { database.isOlder }

  /// Opens the databases. `open` opens the one at `path` for recording and brings it up to date. If that fails, the database is
  /// opened for reading, and an interim one beside it for recording. The sessions of an earlier interim database are added to a
  /// database that is up to date.
  package static func open(
    _ path: String, kind: HRVKind, _ logger: Logger, open: () throws(RepositoryError) -> TachogramDatabase
  ) throws(RepositoryError) -> StationDatabases {
    let interim = InterimLedger(database: path)
    do throws(RepositoryError) {
      let database = try open()
      return StationDatabases(
        database: database, recording: database, problem: interim.merge(into: database, kind: kind, logger))
    } catch {
      guard case .notMigrated(let path, let cause) = error, let held = heldBack(path, cause, interim, logger) else {
        throw error
      }
      return held
    }
  }

  /// Returns the database that cannot be brought up to date because of `cause`, opened for reading, with the interim one, or `nil`
  /// if one of them cannot be opened.
  private static func heldBack(
    _ path: String, _ cause: RepositoryError, _ interim: InterimLedger, _ logger: Logger
  ) -> StationDatabases? {
    do throws(RepositoryError) {
      let database = try TachogramDatabase.openHeldBack(path: path)
      let recording = try interim.open()
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

  /// Closes the databases.
  package func close() throws(RepositoryError) {
    if isHeldBack { try recording.close() }
    try database.close()
  }
}

import ArgumentParser
import CommandProcess
import FoundationEssentials
import Glibc
import Repository
import Sessions

/// The location of the database: the option, `TACHOGRAM_DATABASE`, or the state folder of the system or the user.
struct DatabaseOption: ParsableArguments {
  @Option(help: "The database file. Default: tachogram.sqlite in the state folder.")
  var database: String?

  /// Returns the path of the database.
  func path() throws -> String {
    try database
      ?? StateFolder.databasePath(
        ProcessInfo.processInfo.environment, serviceFolder: StateFolder.service, user: geteuid())
  }

  /// Opens the database for changes to stored sessions, and closes it afterwards. Throws if it does not exist.
  func change(for use: DatabaseLock.Use, _ body: (TachogramDatabase) throws -> Void) throws {
    let path = try path()
    try CommandFailure.wording {
      guard FileManager.default.fileExists(atPath: path) else { throw RepositoryError.missing(path: path) }
      let database: TachogramDatabase
      do {
        database = try DatabaseOpening.open(path, for: use)
      } catch RepositoryError.inUseByRecorder {
        throw CommandFailure("a station or a recording is using \(path); use its page, or stop it first")
      }
      defer { try? database.close() }
      try body(database)
      Interrupt.noteStoring()
      try database.close()
    }
  }

  /// Opens the database for reading. Throws if it does not exist.
  func openForReading() throws -> TachogramDatabase {
    let path = try path()
    return try CommandFailure.wording { try DatabaseOpening.openReadOnly(path) }
  }
}

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

  /// Opens the database for reading. Throws if it does not exist.
  func openForReading() throws -> TachogramDatabase {
    let path = try path()
    return try CommandFailure.wording { try DatabaseOpening.openReadOnly(path) }
  }
}

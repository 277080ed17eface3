import ArgumentParser
import CommandProcess
import FoundationEssentials
import Glibc
import Repository
import Sessions

/// Where the database is: the option, `TACHOGRAM_DATABASE`, or the state folder of the system or the user.
struct DatabaseOption: ParsableArguments {
  @Option(help: "The database file. Default: tachogram.sqlite in the state folder.")
  var database: String?

  /// The file to use.
  func path() throws -> String {
    try database
      ?? StateFolder.databasePath(
        ProcessInfo.processInfo.environment, serviceFolder: StateFolder.service, user: geteuid())
  }

  /// Opens the database for reading; a missing one is an error that says so.
  func openForReading() throws -> TachogramDatabase {
    let path = try path()
    return try CommandFailure.wording { try DatabaseOpening.openReadOnly(path) }
  }
}

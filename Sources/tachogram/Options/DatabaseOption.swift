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
      let database = try Self.openExisting(path, for: use, remedy: "use its page, or stop it first")
      defer { try? database.close() }
      try body(database)
      Interrupt.noteStoring()
      try database.close()
    }
  }

  /// Opens an existing database for changes. Throws if it does not exist, rather than creating it, and a `CommandFailure` with the
  /// remedy if a recorder uses it.
  static func openExisting(
    _ path: String, for use: DatabaseLock.Use = .exclusive, remedy: String = "stop it first"
  ) throws -> TachogramDatabase {
    guard FileManager.default.fileExists(atPath: path) else { throw RepositoryError.missing(path: path) }
    do {
      return try DatabaseOpening.open(path, for: use)
    } catch RepositoryError.inUseByRecorder {
      throw CommandFailure("a station or a recording is using \(path); \(remedy)")
    }
  }

  /// Opens the database for reading, also one of an older version, which is not changed. Throws if it does not exist.
  func openForReading() throws -> TachogramDatabase {
    let path = try path()
    return try CommandFailure.wording { try DatabaseOpening.openForReading(path) }
  }
}

import ArgumentParser
import FoundationEssentials
import Repository

/// Where the database is: the option, `TACHOGRAM_DATABASE`, or the state folder of the system or the user.
struct DatabaseOption: ParsableArguments {
  @Option(help: "The database file; by default tachogram.sqlite in the state folder.")
  var database: String?

  /// The file to use.
  func path(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> String {
    if let database { return database }
    if let database = environment["TACHOGRAM_DATABASE"], !database.isEmpty { return database }
    let file = "tachogram.sqlite"
    // systemd gives several folders separated by colons when a unit asks for several.
    if let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return "\(folder)/\(file)" }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/tachogram/\(file)" }
    if let home = environment["HOME"], !home.isEmpty { return "\(home)/.local/share/tachogram/\(file)" }
    throw CommandFailure("no home folder to keep the database in; name a file with --database", code: .badUsage)
  }

  /// Opens a database of whatever version for reading; `nil` when there is none.
  static func openForReading(ifPresent path: String) throws -> TachogramDatabase? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try CommandFailure.wording {
      do {
        return try TachogramDatabase.openReadOnly(path: path)
      } catch RepositoryError.olderSchema {
        // Brought up to date by the way, which only a writer can do.
        return try TachogramDatabase.open(path: path)
      }
    }
  }

  /// Opens the database for reading; a missing one is an error that says so.
  func openForReading() throws -> TachogramDatabase {
    let path = try path()
    return try CommandFailure.wording { try TachogramDatabase.openReadOnly(path: path) }
  }
}

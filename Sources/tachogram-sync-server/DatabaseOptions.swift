import ArgumentParser
import Foundation
import SyncServer

/// The options for the database.
struct DatabaseOptions: ParsableArguments {
  private static let variable = "TACHOGRAM_SYNC_POSTGRESQL"

  @Option(
    help: ArgumentHelp("The SQLite database. It is made if it is not there.", valueName: "path"),
    completion: .file())
  var database: String?

  @Option(
    help: ArgumentHelp(
      "The address of a database of PostgreSQL 15 or later in place of SQLite. Requires the package libpq5.",
      valueName: "url"))
  var postgresql: String?

  func validate() throws {
    if database != nil, postgresql != nil {
      throw ValidationError("--database and --postgresql exclude each other.")
    }
  }

  /// Opens the database, as its owner if the program runs as root.
  func open() throws -> any SyncDatabaseProtocol {
    let environment = ProcessInfo.processInfo.environment
    let folder = environment["STATE_DIRECTORY"] ?? "/var/lib/tachogram-sync-server"
    let path = database ?? "\(folder)/sync.sqlite"
    // PostgreSQL may know who connects by the user.
    try DatabaseOwner.become(of: path)
    if let address = postgresql
      ?? (database == nil ? environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 } : nil)
    {
      return PostgreSQLDatabase(address)
    }
    umask(0o077)
    return try SQLiteDatabase(path: path)
  }
}

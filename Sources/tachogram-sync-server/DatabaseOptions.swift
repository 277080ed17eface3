import ArgumentParser
import Foundation
import SyncServer

/// The options for the database.
struct DatabaseOptions: ParsableArguments {
  private static let variable = "TACHOGRAM_SYNC_POSTGRESQL"

  @Option(
    help: ArgumentHelp(
      "The SQLite database. It is made if it is not there.",
      discussion: "By default `sync.sqlite` in the folder that systemd names, or in `/var/lib/tachogram-sync-server`.",
      valueName: "path"),
    completion: .file())
  var database: String?

  @Option(
    help: ArgumentHelp(
      "The address of a PostgreSQL database, such as `postgresql://user@host/name`, in place of SQLite.",
      discussion: """
        The environment variable `TACHOGRAM_SYNC_POSTGRESQL` does the same, and other users do not see it: an address \
        with a password belongs there. Requires the package libpq5.
        """,
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
    if let address = postgresql
      ?? (database == nil ? environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 } : nil)
    {
      return PostgreSQLDatabase(address)
    }
    let folder = environment["STATE_DIRECTORY"] ?? "/var/lib/tachogram-sync-server"
    let path = database ?? "\(folder)/sync.sqlite"
    try DatabaseOwner.become(of: path)
    umask(0o077)
    return try SQLiteDatabase(path: path)
  }
}

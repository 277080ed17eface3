import CommandProcess
import FoundationEssentials
import Glibc

/// Where databases are kept, and what names this installation.
package enum StateFolder {
  /// Where the packaged service keeps its state.
  package static let service = "/var/lib/tachogram"

  /// The file to use where none is named.
  package static func databasePath(_ environment: [String: String], serviceFolder: String, user: uid_t) throws -> String
  {
    if let database = environment["TACHOGRAM_DATABASE"], !database.isEmpty { return database }
    guard let folder = path(environment, serviceFolder: serviceFolder, user: user) else {
      throw CommandFailure("no home folder to keep the database in; name a file with --database", code: .badUsage)
    }
    return "\(folder)/tachogram.sqlite"
  }

  /// The state folder of the system or the user; `nil` for who has no home folder.
  package static func path(_ environment: [String: String], serviceFolder: String, user: uid_t) -> String? {
    // systemd gives several folders separated by colons when a unit asks for several.
    if let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(folder) }
    // As with `sudo -u tachogram tachogram …`: the service's user is never meant to have recordings of his own.
    if user != 0, owner(of: serviceFolder) == user { return serviceFolder }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/tachogram" }
    if let home = environment["HOME"], !home.isEmpty { return "\(home)/.local/share/tachogram" }
    return nil
  }

  private static func owner(of folder: String) -> uid_t? {
    var status = stat()
    return stat(folder, &status) == 0 ? status.st_uid : nil
  }
}

import CommandProcess
import FoundationEssentials
import Glibc

/// The location of databases and of the identifier of this installation.
package enum StateFolder {
  /// The state folder of the packaged service.
  package static let service = "/var/lib/tachogram"

  /// The user of the packaged service, or `nil` if it is not installed.
  package static var serviceUser: uid_t? { owner(of: service) }

  /// Returns the default path of the database.
  package static func databasePath(_ environment: [String: String], serviceFolder: String, user: uid_t) throws -> String
  {
    if let database = environment["TACHOGRAM_DATABASE"], !database.isEmpty { return database }
    guard let folder = path(environment, serviceFolder: serviceFolder, user: user) else {
      throw CommandFailure("no home folder to keep the database in; name a file with --database", code: .badUsage)
    }
    return "\(folder)/tachogram.sqlite"
  }

  /// Returns the state folder of the system or the user, or `nil` for a user without a home folder.
  package static func path(_ environment: [String: String], serviceFolder: String, user: uid_t) -> String? {
    // systemd passes several folders, separated by colons, to a unit that requests several.
    if let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(folder) }
    // For example with `sudo -u tachogram tachogram …`: the user of the service is not meant to have recordings of his own.
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

import ArgumentParser
import FoundationEssentials
import Glibc
import Recording
import Repository
import Station

/// Where the database is: the option, `TACHOGRAM_DATABASE`, or the state folder of the system or the user.
struct DatabaseOption: ParsableArguments {
  @Option(help: "The database file; by default tachogram.sqlite in the state folder.")
  var database: String?

  /// Where the packaged service keeps its state.
  static let serviceFolder = "/var/lib/tachogram"

  /// The file to use.
  func path() throws -> String {
    try database
      ?? Self.usualPath(ProcessInfo.processInfo.environment, serviceFolder: Self.serviceFolder, user: geteuid())
  }

  /// The file to use where none is named.
  static func usualPath(_ environment: [String: String], serviceFolder: String, user: uid_t) throws -> String {
    if let database = environment["TACHOGRAM_DATABASE"], !database.isEmpty { return database }
    guard let folder = stateFolder(environment, serviceFolder: serviceFolder, user: user) else {
      throw CommandFailure("no home folder to keep the database in; name a file with --database", code: .badUsage)
    }
    return "\(folder)/tachogram.sqlite"
  }

  /// The state folder of the system or the user; `nil` for who has no home folder.
  static func stateFolder(_ environment: [String: String], serviceFolder: String, user: uid_t) -> String? {
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

  /// Opens a database for writing. One that is made for a command that then stores nothing does not stay. One of an older
  /// version is copied before it is brought up to date, into `copies`, by default the folder beside it; `nil` for no copy.
  static func open(
    _ path: String, for use: DatabaseLock.Use = .writing, copies: SnapshotFolder?,
  ) throws(RepositoryError) -> TachogramDatabase {
    let database = try TachogramDatabase.open(path: path, for: use, keepsEmpty: false) { database in
      // Of what a command was making when it was cut off there is nothing to keep.
      guard let copies, (try? database.isEmpty()) != true else { return }
      do {
        let findings = try copies.add(database, at: SystemTimeSource().now().wall, keep: .max)
        guard let finding = findings.first else { return }
        StandardStreams.error("tachogram: warning: \(path) is damaged and was not copied: \(finding)")
      } catch {
        StandardStreams.error(
          "tachogram: warning: no copy was made of \(path) before it was brought up to date: \(error)")
      }
    }
    ProcessEnd.beforeForce(database.abandoning)
    warnOfSilentRecorders(database)
    return database
  }

  private static func warnOfSilentRecorders(_ database: TachogramDatabase) {
    guard database.silentRecorders > 0 else { return }
    StandardStreams.error(
      """
      tachogram: warning: what was heard last may be missing: a process that records into \(database.path) does not \
      answer
      """)
  }

  /// Opens a database for reading.
  static func openReadOnly(_ path: String) throws(RepositoryError) -> TachogramDatabase {
    let database = try TachogramDatabase.openReadOnly(path: path)
    warnOfSilentRecorders(database)
    return database
  }

  static func open(_ path: String, for use: DatabaseLock.Use = .writing) throws(RepositoryError) -> TachogramDatabase {
    try open(path, for: use, copies: SnapshotFolder(nil, database: path))
  }

  /// Opens a database of whatever version for reading; `nil` when there is none.
  static func openForReading(ifPresent path: String) throws -> TachogramDatabase? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try CommandFailure.wording {
      do {
        return try openReadOnly(path)
      } catch RepositoryError.olderSchema {
        // Brought up to date by the way, which only a writer can do.
        try open(path).close()
        return try openReadOnly(path)
      }
    }
  }

  /// Opens the database for reading; a missing one is an error that says so.
  func openForReading() throws -> TachogramDatabase {
    let path = try path()
    return try CommandFailure.wording { try Self.openReadOnly(path) }
  }
}

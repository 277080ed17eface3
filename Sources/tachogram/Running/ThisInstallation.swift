import FoundationEssentials
import Glibc
import Repository
import Station
import TachogramCore

/// What names this installation in what it records.
enum ThisInstallation {
  /// The identifier, also given to what was recorded here before there was one; `nil`, with a warning, where it cannot be kept.
  /// What comes from a capture is the same on every machine.
  static func deviceID(for database: TachogramDatabase, isReplay: Bool) -> String? {
    if isReplay { return SessionDescription.Origin.replay.rawValue }
    let folder = DatabaseOption.stateFolder(
      ProcessInfo.processInfo.environment, serviceFolder: DatabaseOption.serviceFolder, user: geteuid())
    do {
      guard let folder else {
        throw InstallationIdentifier.Failure(description: "there is no home folder to keep it in")
      }
      let identifier = try InstallationIdentifier(folder: folder).readOrMake()
      try SessionRepository(database: database).nameRecordings(identifier)
      return identifier
    } catch {
      StandardStreams.error("tachogram: warning: what is recorded does not name this installation: \(error)")
      return nil
    }
  }
}

import CommandProcess
import FoundationEssentials
import Glibc
import Repository
import TachogramCore

/// What names this installation in what it records.
package enum ThisInstallation {
  /// The identifier, also given to what was recorded here before there was one; `nil`, with a warning, where it cannot be kept.
  /// What comes from a capture is the same on every machine.
  package static func deviceID(for database: TachogramDatabase, isReplay: Bool) -> String? {
    if isReplay { return SessionDescription.Origin.replay.rawValue }
    let folder = StateFolder.path(
      ProcessInfo.processInfo.environment, serviceFolder: StateFolder.service, user: geteuid())
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

import CommandProcess
import FoundationEssentials
import Glibc
import Repository
import TachogramCore

/// The identification of this installation in its recordings.
package enum ThisInstallation {
  /// Returns the identifier, which is also added to earlier recordings of this installation. Returns `nil`, with a warning, if
  /// it cannot be stored. A replay does not use it, since a session from a capture is the same on every machine.
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

import Recording
import Repository
import Sessions

extension SessionEditor {
  /// Returns an editor for a database that no recorder uses.
  static func alone(in database: TachogramDatabase) -> SessionEditor {
    let installation = ThisInstallation.deviceID(for: database, isReplay: false)
    return SessionEditor(
      database: database, keeping: .init(installation: installation, restoresAbsent: false), running: [])
  }
}

import CommandProcess
import FoundationEssentials
import Glibc
import Logging
import Presentation
import Recording
import Repository
import StressKit
import TachogramCore

/// A database beside one that cannot be recorded into: it stores what is received, until its sessions can be added to that one.
struct InterimLedger {
  private static let suffix = "-interim"

  let path: String

  init(database: String) {
    path = DatabaseLock.fileName(of: database) + Self.suffix
  }

  /// Opens the interim database at `path` for recording, and creates it if it is missing.
  static func open(_ path: String) throws(RepositoryError) -> TachogramDatabase {
    try TachogramDatabase.open(path: path, for: .recording)
  }

  /// Whether it can be opened for recording now. A file that this creates is deleted again.
  var canBeOpened: Bool {
    (try? TachogramDatabase.open(path: path, keepsEmpty: false).close()) != nil
  }

  /// Renames a damaged file. Returns its new path, or `nil` if that is not possible.
  func setAside() -> String? {
    let aside = "\(path).damaged-\(Timestamp.text(SystemTimeSource().now().wall).filter { $0 != ":" })"
    for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
    return rename(path, aside) == 0 ? aside : nil
  }

  /// Stores the sessions of a database in memory in the interim database.
  func keep(_ memory: TachogramDatabase) throws(RepositoryError) {
    do {
      let transfer = SessionTransfer(from: memory, to: try Self.open(path), kind: .sdnn)
      for session in try transfer.missing() { try transfer.copy(session) }
    } catch let error as RepositoryError {
      throw error
    } catch {
      throw .contradiction(path: path, detail: "\(error)")
    }
  }

  /// Adds the sessions of the interim database, if there is one, to `database`, and deletes it. Returns the reason why it was kept,
  /// or `nil`. If a power cut interrupts this, it is completed at the next start.
  func merge(into database: TachogramDatabase, kind: HRVKind, _ logger: Logger) -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      let interim = try TachogramDatabase.open(path: path)
      defer { try? interim.close() }
      let transfer = SessionTransfer(from: interim, to: database, kind: kind)
      let sessions = try transfer.missing()
      for session in sessions { try transfer.copy(session) }
      guard try transfer.missing().isEmpty else {
        throw RepositoryError.contradiction(path: database.path, detail: "sessions are missing after they were added")
      }
      try interim.close()
      try TachogramDatabase.delete(path: path)
      logger.notice(
        "what was received while the database could not be written was added",
        metadata: ["sessions": "\(sessions.count)"])
      return nil
    } catch {
      let reason = LogText.safe(ErrorReason.text(error))
      logger.error(
        "what was received while the database could not be written was not added", metadata: ["error": "\(reason)"])
      return
        "What was received while the database could not be written is in \(path) and could not be added: \(reason) It is tried again at the next start."
    }
  }
}

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
    let aside = "\(path).damaged-\(Timestamp.fileText(SystemTimeSource().now().wall))"
    // The file first: a log that is left alone by a power cut is kept, a file without its log would be used.
    guard rename(path, aside) == 0 else { return nil }
    for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
    return aside
  }

  /// Stores the sessions of a database in memory in the interim database. Their rows are derived when they are added.
  func keep(_ memory: TachogramDatabase) throws(RepositoryError) {
    do {
      let transfer = SessionTransfer(from: memory, to: try Self.open(path), kind: .sdnn)
      for session in try transfer.missing() { try transfer.copy(session, derives: false) }
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
      let count = try add(interim, to: database, kind: kind)
      try interim.close()
      try TachogramDatabase.delete(path: path)
      logger.notice(
        "what was received while the database could not be written was added", metadata: ["sessions": "\(count)"])
      return nil
    } catch {
      let reason = LogText.safe(ErrorReason.text(error))
      logger.error(
        "what was received while the database could not be written was not added", metadata: ["error": "\(reason)"])
      return
        "What was received while the database could not be written is in \(path) and could not be added: \(reason) It is tried again at the next start."
    }
  }

  /// Adds the sessions of the interim database that `database` lacks. Returns their number. One that cannot be added does not keep the
  /// others from being added. Throws the first reason if any entry is missing afterwards.
  private func add(_ interim: TachogramDatabase, to database: TachogramDatabase, kind: HRVKind) throws -> Int {
    let transfer = SessionTransfer(from: interim, to: database, kind: kind)
    var (count, failure) = (0, (any Error)?.none)
    for session in try transfer.missing() {
      do {
        try transfer.copy(session)
        count += 1
      } catch {
        failure = failure ?? error
      }
    }
    let sessions = ReplacedSessions(of: interim, in: database, kind: kind)
    var comparison = try sessions.compare(trustsCounts: false)
    // Of a session that was continued or edited after a part of it had been added, the rest becomes a session of its own.
    if (failure as? RepositoryError)?.isOfContents ?? true, !comparison.missing.isEmpty {
      let copied = sessions.copy(comparison.missing, at: SystemTimeSource().now().wall)
      count += copied.count
      failure = copied.failure?.error
      comparison = try sessions.compare(trustsCounts: false)
    }
    guard comparison.missing.isEmpty, comparison.overlapping.isEmpty else {
      throw failure
        ?? RepositoryError.contradiction(path: database.path, detail: "sessions are missing after they were added")
    }
    return count
  }
}

import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Recording
import Repository
import Station
import TachogramCore

/// `restore`: replaces a damaged database with a snapshot.
struct RestoreCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore a snapshot of the database, or list the snapshots.",
    discussion: """
      The database must not be in use: the command is refused while the station or another writing command runs, and \
      those are refused while it runs. The replaced database is kept beside the new one, under another name.
      """)

  static let ending = Interrupt.Ending.storing

  @OptionGroup var options: StationOptions

  @Argument(help: "The snapshot. Default: the newest.", completion: .file())
  var snapshot: String?

  @Flag(help: "List the snapshots, newest first.")
  var list = false

  func perform() async throws {
    let configuration = try options.load()
    let path = try options.database(configuration)
    let folder = SnapshotFolder(configuration.snapshots.folder, database: path)
    if list {
      let copies = folder.snapshots()
      if copies.isEmpty { StandardStreams.error("tachogram: there is no copy of \(path) in \(folder.path)") }
      for one in copies {
        StandardStreams.out("\(Timestamp.text(one.time))  \(one.bytes) bytes  \(TerminalText.line(one.path))\n")
      }
      return
    }
    try CommandFailure.wording {
      try TachogramDatabase.checkReplaceable(path: path)
      guard let chosen = snapshot ?? folder.newest(at: SystemTimeSource().now().wall)?.path else {
        throw CommandFailure(
          "there is no copy of \(path) in \(folder.path); name one: tachogram restore COPY --database \(path)")
      }
      try restore(chosen, to: path)
    }
  }

  private static func open(_ copy: String) throws -> TachogramDatabase {
    do {
      return try TachogramDatabase.openCopy(path: copy)
    } catch RepositoryError.missing(let path) {
      throw CommandFailure("there is no copy \(path); `tachogram restore --list` lists all")
    }
  }

  /// Restores a copy. The database is locked before the copy is read, so that no process can write to it until it is replaced.
  private func restore(_ copy: String, to path: String) throws {
    if DatabaseLock.fileName(of: copy) == DatabaseLock.fileName(of: path) {
      throw CommandFailure("\(copy) is the database itself; name a copy of it")
    }
    let source = try Self.open(copy)
    defer { try? source.close() }
    try TachogramDatabase.makeFolder(for: path)
    let lock = try DatabaseLock(database: path, for: .exclusive)
    do {
      let findings = try source.checkIntegrity()
      guard findings.isEmpty else { throw CommandFailure("\(copy) is damaged too: \(findings[0])") }
      if let finding = try source.checkSchema().first {
        throw CommandFailure(
          "\(copy) is not a complete copy of a database: \(finding). Name another one; nothing was replaced.")
      }
      try replace(path, with: source, under: lock)
    } catch {
      lock.discard()
      throw error
    }
    lock.release()
  }

  private func replace(_ path: String, with source: TachogramDatabase, under lock: DatabaseLock) throws {
    let missing = Self.sessions(path).subtracting(Self.identifiers(source))
    // Moves the log into the file that is replaced, because only one file at a time can be renamed. The log of a file that is
    // too damaged for that is kept beside it.
    if PathKind(path) == .file { try? TachogramDatabase.foldLog(path: path) }
    do {
      let database = ReplacedDatabase(DatabaseLock.fileName(of: path))
      let replaced = try database.replace(with: source, at: SystemTimeSource().now().wall, under: lock)
      let kept = replaced.map { "; what was there is \($0)" } ?? ""
      StandardStreams.out(TerminalText.line("\(path) is \(source.path) now\(kept)") + "\n")
      if let replaced, !missing.isEmpty {
        StandardStreams.error(
          "tachogram: \(missing.count) session\(missing.count == 1 ? " of what was there is" : "s of what was there are") not in the copy; "
            + "`tachogram export --everything --format json --output FOLDER --database \(replaced)` writes all of it into "
            + "files for `tachogram import`")
      }
    } catch let error as RepositoryError {
      throw error
    } catch {
      throw CommandFailure("the copy could not be put in place: \(ErrorReason.text(error))")
    }
  }

  /// Returns the sessions in a database, or an empty set if it cannot be read.
  private static func sessions(_ path: String) -> Set<String> {
    guard let database = try? TachogramDatabase.openCopy(path: path) else { return [] }
    defer { try? database.close() }
    return identifiers(database)
  }

  private static func identifiers(_ database: TachogramDatabase) -> Set<String> {
    Set((try? SessionRepository(database: database).sessions().map(\.description.id)) ?? [])
  }
}

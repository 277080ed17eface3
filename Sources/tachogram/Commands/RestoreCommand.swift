import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Recording
import Repository
import Sessions
import Station
import StressKit
import TachogramCore

/// `restore`: replaces a damaged database with a snapshot.
struct RestoreCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore a snapshot of the database, or list the snapshots.",
    discussion: """
      To restore a snapshot, the database must not be in use: the command is refused while the station or another writing \
      command runs, and those are refused while it runs. The replaced database is kept beside the new one, under another name.
      """)

  static let ending = Interrupt.Ending.storing

  @OptionGroup var options: StationOptions

  @Argument(help: "The snapshot. Default: the newest.", completion: .file())
  var snapshot: String?

  @Flag(help: "List the snapshots, newest first.")
  var list = false

  @Option(
    help: ArgumentHelp(
      "Restore no snapshot, but copy the sessions that the database lacks from another one, such as one that was replaced.",
      valueName: "database"), completion: .file())
  var sessionsOf: String?

  func validate() throws {
    if sessionsOf != nil, list || snapshot != nil {
      throw ValidationError("--sessions-of excludes --list and a snapshot.")
    }
  }

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
    if let sessionsOf {
      return try CommandFailure.wording { try copySessions(of: sessionsOf, to: path, configuration.session.hrv) }
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

  private func copySessions(of other: String, to path: String, _ kind: HRVKind) throws {
    guard DatabaseLock.fileName(of: other) != DatabaseLock.fileName(of: path) else {
      throw CommandFailure("\(other) is the database itself; name another one")
    }
    let source = try TachogramDatabase.openSessions(ofCopy: other)
    defer { try? source.close() }
    let database = try DatabaseOpening.open(path)
    defer { try? database.close() }
    let sessions = ReplacedSessions(of: source, in: database, kind: kind)
    let comparison = try sessions.compare()
    let copied = sessions.copy(comparison.missing, at: SystemTimeSource().now().wall)
    StandardStreams.out("\(copied.count) \(copied.count == 1 ? "session was" : "sessions were") copied\n")
    try SpaceDeletions.warn(of: comparison.missing.map(\.record.description.id), in: database)
    for record in comparison.overlapping {
      StandardStreams.error(
        "tachogram: the session \(record.description.id) is stored in part and was left as it is; "
          + "`tachogram export --database \(other)` writes it to a file")
    }
    if let failure = copied.failure {
      throw CommandFailure("the session \(failure.session) was not copied: \(ErrorReason.text(failure.error))")
    }
  }

  private func restore(_ copy: String, to path: String) throws {
    let result = try DatabaseRestoration.restore(copy, to: path)
    let kept = result.replaced.map { "; what was there is \($0)" } ?? ""
    StandardStreams.out(TerminalText.line("\(path) is \(result.copy) now\(kept)") + "\n")
    if let note = result.ofStraps { StandardStreams.error("tachogram: \(note)") }
    if let replaced = result.replaced, result.missing > 0 {
      let what = result.missing == 1 ? " of what was there is" : "s of what was there are"
      StandardStreams.error(
        "tachogram: \(result.missing) session\(what) not in the copy; "
          + "`tachogram restore --sessions-of \(replaced)` copies what is missing")
    }
  }
}

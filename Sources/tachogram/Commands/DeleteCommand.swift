import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Recording
import Repository
import Sessions
import Station
import TachogramCore

/// `delete`: deletes sessions, or a part of their data, permanently.
struct DeleteCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Permanently delete stored sessions, or show what would be deleted.",
    discussion: """
      Deletes every session that matches all given options, with everything derived from it. The data is \
      overwritten, the database is compacted, and a new snapshot replaces the snapshots that contained the data \
      (`tachogram restore --list`). Exports are not touched. Stress levels and trends of sessions that were deleted \
      earlier are deleted too, if the person and the time match. With --person alone, or with --everything, the \
      people are deleted as well; their straps stay paired, without a person.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "A session, by its identifier or at least the first four characters of it.")
  var session: String?

  @Option(help: "Sessions of this person.")
  var person: String?

  @Option(help: "Sessions of the strap with this address.")
  var strap: StrapAddress?

  @Option(help: "Sessions that began at this time or later, such as 2026-03-29T00:00:00Z.", transform: TimeOption.time)
  var from: WallTime?

  @Option(help: "Sessions that ended at this time or earlier. Sessions are deleted whole.", transform: TimeOption.time)
  var to: WallTime?

  @Flag(help: "All sessions and all people.")
  var everything = false

  @Option(
    help:
      "What to delete: sessions (with everything in them), stress (only stress levels) or windows (only HRV windows).")
  var category = DataCategory.sessions

  @Flag(help: "Delete. Without this flag, only show what would be deleted.")
  var yes = false

  @OptionGroup var options: StationOptions

  @Option(help: "text or json.")
  var format = OutputFormat.text

  private struct Answer: Encodable {
    let deleted: Bool
    let sessions: Int64
    let notifications: Int64
    let beats: Int64
    let stress: Int64
    let windows: Int64
    let readings: Int64
    let trends: Int64
    let people: Int64
    let first: String?
    let last: String?

    init(_ contents: SessionContents, deleted: Bool) {
      self.deleted = deleted
      sessions = contents.sessions
      notifications = contents.notifications
      beats = contents.beats
      stress = contents.stress
      windows = contents.windows
      readings = contents.readings
      trends = contents.trends
      people = contents.people
      first = contents.first.map { Timestamp.text($0) }
      last = contents.last.map { Timestamp.text($0) }
    }
  }

  func validate() throws {
    if format == .ndjson { throw ValidationError("delete does not support ndjson; use text or json.") }
    let selects = session != nil || person != nil || strap != nil || from != nil || to != nil
    if selects == everything {
      throw ValidationError(
        "Name a session, or use at least one of --person, --strap, --from and --to, or --everything alone.")
    }
    if let from, let to, from > to { throw ValidationError("--from is after --to.") }
  }

  func perform() async throws {
    let configuration = try options.load()
    let path = try options.database(configuration)
    let copies = SnapshotFolder(configuration.snapshots.folder, database: path)
    // A missing database is not created.
    let isDeleting = yes && FileManager.default.fileExists(atPath: path)
    try CommandFailure.wording {
      let database = try isDeleting ? open(path, copies) : DatabaseOpening.openReadOnly(path)
      defer { try? database.close() }
      do {
        try run(database, copies, configuration.timeZone)
      } catch RepositoryError.full where yes {
        throw Self.full(path, copies)
      }
      try database.close()
    }
  }

  private func run(_ database: TachogramDatabase, _ copies: SnapshotFolder, _ timeZone: TimeZone) throws {
    let selection: SessionSelection
    do {
      selection = try self.selection(database)
    } catch RepositoryError.sessionNotFound(let prefix) where yes {
      // The data may have been deleted before without its bytes being erased.
      try DeletionCleanup(
        database: database, copies: copies, timeZone: timeZone, hasDeleted: false, deleted: nil
      ).run()
      throw RepositoryError.sessionNotFound(prefix: prefix)
    }
    let repository = DeletionRepository(database: database)
    let selected = try repository.preview(selection, category)
    guard yes else { return try answer(selected) }
    if selected.isEmpty {
      try answer(selected)
      try DeletionCleanup(
        database: database, copies: copies, timeZone: timeZone, hasDeleted: false, deleted: (selection, category)
      ).run()
      return
    }
    if category == .sessions {
      try copies.addBeforeDeletion(selected, from: database, at: SystemTimeSource().now().wall)
    }
    copies.markStale()
    // Hours that are computed after their windows were deleted would count as empty.
    if category == .windows { try TrendRepository(database: database, timeZone: timeZone).refresh() }
    let contents = try copies.makingRoom(at: SystemTimeSource().now().wall) {
      try repository.delete(selection, category)
    }
    try answer(contents)
    try DeletionCleanup(
      database: database, copies: copies, timeZone: timeZone, hasDeleted: true, deleted: (selection, category)
    ).run()
  }

  private func answer(_ contents: SessionContents) throws {
    StandardStreams.out(
      format == .json ? try JSONOutput.line(Answer(contents, deleted: yes)) : text(contents))
  }

  // MARK: - Opening

  /// Opens the database exclusively: a recorder would have its session deleted, and `restore` would replace the database. If
  /// the disk is too full even for that, snapshots with the data to be deleted are removed first.
  private func open(_ path: String, _ copies: SnapshotFolder) throws -> TachogramDatabase {
    do {
      return try DatabaseOpening.open(path, for: .exclusive, copies: copies)
    } catch RepositoryError.inUseByRecorder {
      throw CommandFailure("a station or a recording is using \(path); delete on its page, or stop it first")
    } catch RepositoryError.full {
      guard copies.snapshots().count > 1, try isSomethingSelected(path) else { throw Self.full(path, copies) }
    }
    copies.markStale()
    copies.dropOlder(at: SystemTimeSource().now().wall)
    do {
      return try DatabaseOpening.open(path, for: .exclusive, copies: copies)
    } catch RepositoryError.full {
      throw Self.full(path, copies)
    }
  }

  private func isSomethingSelected(_ path: String) throws -> Bool {
    let database = try DatabaseOpening.openReadOnly(path)
    defer { try? database.close() }
    return try !DeletionRepository(database: database).preview(selection(database), category).isEmpty
  }

  /// Returns the failure for a disk without space even for a deletion.
  private static func full(_ path: String, _ copies: SnapshotFolder) -> CommandFailure {
    let copy = copies.snapshots().first.map { ", such as the copy \($0.path) (\($0.bytes) bytes)" } ?? ""
    return CommandFailure(
      "the disk that holds \(path) is full, and a deletion needs \(DeletionRepository.leastRoom / 1024) KiB of it to begin "
        + "with: delete or move another file on it\(copy), and run the same again. What is not deleted yet is as it was."
    )
  }

  private func selection(_ database: TachogramDatabase) throws -> SessionSelection {
    var selection = SessionSelection()
    selection.session = try session.map { prefix in
      try SessionRepository(database: database).session(matching: prefix).description.id
    }
    selection.person = person
    selection.strap = strap?.address
    if from != nil || to != nil {
      selection.range = (from ?? WallTime(microseconds: .min))...(to ?? WallTime(microseconds: .max))
    }
    return selection
  }

  private func text(_ contents: SessionContents) -> String {
    if contents.isEmpty { return "nothing that is stored is selected\n" }
    var parts: [String] = []
    if category != .sessions {
      let count = category == .stress ? "\(contents.stress) stress levels" : "\(contents.windows) windows"
      parts.append("\(count) of \(contents.sessions) sessions")
    } else {
      if contents.sessions > 0 {
        parts.append(
          "\(Self.counted(contents.sessions, "session")) from \(contents.first.map { Timestamp.text($0) } ?? "") to "
            + "\(contents.last.map { Timestamp.text($0) } ?? "") with \(contents.notifications) notifications and "
            + "\(contents.beats) beats")
      }
      if contents.stress > 0 { parts.append(Self.counted(contents.stress, "stress level")) }
      if contents.readings > 0 { parts.append(Self.counted(contents.readings, "reading")) }
      if contents.trends > 0 { parts.append(Self.counted(contents.trends, "hour") + " of trends") }
      if contents.people > 0 { parts.append(Self.counted(contents.people, "name")) }
    }
    let what = parts.joined(separator: ", ")
    return yes ? "deleted: \(what)\n" : "would be deleted: \(what)\nRun again with --yes to delete.\n"
  }

  private static func counted(_ count: Int64, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }
}

extension DataCategory: ExpressibleByArgument {}

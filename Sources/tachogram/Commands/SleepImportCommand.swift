import ArgumentParser
import Capture
import CommandProcess
import Exchange
import FileSystem
import Presentation
import Repository
import Sessions
import TachogramCore

/// `sleep import`: stores nights of other devices and programs.
struct SleepImportCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import nights of other devices and programs.",
    discussion: """
      Tables with a column start or time and a column stage, such as `sleep export --format csv` writes; sleep-episode and \
      sleep-duration of Open mHealth; and the export.xml of Apple Health, unpacked. Each night becomes a session without beats. \
      A night that is already stored is not stored again.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "Files, folders of files, or - for standard input.", completion: .file())
  var files: [String]

  @Option(help: "The person who slept.", transform: NameOption.name)
  var person: String?

  @Option(
    help: "The start of the night, such as 2026-03-29T22:10:00Z, for a table with times in seconds.",
    transform: TimeOption.recordingStart)
  var start: WallTime?

  @OptionGroup var store: DatabaseOption

  @Option(help: "text, or json (one object).")
  var format = OutputFormat.text

  func validate() throws {
    if format == .ndjson { throw ValidationError("ndjson is not supported; use text or json.") }
    if start != nil, files.count > 1 { throw ValidationError("--start applies to one file, not \(files.count).") }
  }

  func perform() async throws {
    var run = try ImportRun<ImportedNightFile>(files)
    let path = try store.path()
    let database = try CommandFailure.wording { try DatabaseOpening.open(path) }
    var importer = try CommandFailure.wording {
      try NightImporter(database: database, person: person, start: start)
    }
    try await run.run(format, line: \.text) { try importer.importFile($0) }
    try CommandFailure.wording { try database.close() }
    try run.finish(format)
  }
}

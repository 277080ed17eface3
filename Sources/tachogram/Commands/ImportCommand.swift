import ArgumentParser
import Capture
import CommandProcess
import Exchange
import FileSystem
import Presentation
import Repository
import Sessions
import StressKit
import TachogramCore

/// `import`: imports files of sessions and intervals into the database.
struct ImportCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import sessions from exports of this program, captures, or RR intervals of other programs.",
    discussion: """
      json and fhir files of this program restore a session completely; btsnoop and other captures restore the \
      notifications. RR intervals (csv, text of Kubios and other programs, FIT) become a session that is marked as \
      imported. A folder is searched recursively, without hidden files; pipes, devices and links to folders are \
      skipped and listed. Use - for standard input. A recording that is already stored is not stored again, unless \
      the new copy is more precise or longer.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "Files, folders of files, or - for standard input.", completion: .file())
  var files: [String]

  @Option(help: "The person who wore the strap, instead of the one that the files name.", transform: NameOption.name)
  var person: String?

  @Option(help: "A label for the sessions.", transform: NameOption.name)
  var label: String?

  @Option(
    help: "The start of the first interval, such as 2026-03-29T07:00:00Z, for a file without dates.",
    transform: TimeOption.recordingStart)
  var start: WallTime?

  @Option(help: "The HRV metric that new stress levels are computed from: sdnn or rmssd.")
  var hrv = HRVKind.sdnn

  @Flag(help: "Record the straps that a person's file lists, as if they had been paired here.")
  var trustStraps = false

  @OptionGroup var store: DatabaseOption

  @Option(help: "text, or json (one object).")
  var format = OutputFormat.text

  func validate() throws {
    if format == .ndjson { throw ValidationError("import does not support ndjson; use text or json.") }
    if start != nil, files.count > 1 {
      throw ValidationError("--start applies to one file, not \(files.count).")
    }
  }

  func perform() async throws {
    var run = try ImportRun<ImportedFile>(files)
    let path = try store.path()
    let database = try CommandFailure.wording { try DatabaseOpening.open(path) }
    let importer = FileImporter(
      database: database, kind: hrv, person: person, label: label, start: start, trustsStraps: trustStraps)
    var sessions: [String] = []
    try await run.run(format, line: \.text) { file in
      let imported = try await importer.importFile(file)
      sessions += imported.compactMap(\.session)
      return imported
    }
    try SpaceDeletions.warn(of: sessions, in: database)
    try CommandFailure.wording { try database.close() }
    try run.finish(format)
  }
}

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

/// `import`: files of sessions and of intervals into the database.
struct ImportCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import sessions: what `export` wrote, captures, or RR intervals of other programs.",
    discussion: """
      json and fhir of this program bring a session back as it was, btsnoop and other captures what was heard. Of RR \
      intervals (csv, text of Kubios and many others, FIT) a session is made that says so. A folder stands for the files \
      in it and in its folders, without hidden ones; pipes, devices and links to folders in it are skipped and named. - is \
      standard input. What is stored already stays as it is, unless a copy of the same recording is more precise or longer.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "Files, folders of files, or - for standard input.", completion: .file())
  var files: [String]

  @Option(help: "The person whose they are, whoever the files name.", transform: NameOption.name)
  var person: String?

  @Option(help: "What to call the sessions.", transform: NameOption.name)
  var label: String?

  @Option(
    help: "When the first interval began, for files that do not say it: as in 2026-03-29T07:00:00Z.",
    transform: TimeOption.recordingStart)
  var start: WallTime?

  @Option(help: "Which metric stands for HRV in stress levels that are computed: sdnn or rmssd.")
  var hrv = HRVKind.sdnn

  @Flag(help: "Listen to the straps that a person's file names, as if they had been paired here.")
  var trustStraps = false

  @OptionGroup var store: DatabaseOption

  @Option(help: "text, or json (one object).")
  var format = OutputFormat.text

  private struct Answer: Encodable {
    let imported: [ImportedFile]
    let failed: [String]
    /// What folders hold beside files.
    let skipped: [String]
  }

  func validate() throws {
    if format == .ndjson { throw ValidationError("import has no event lines; use text or json.") }
    if start != nil, files.count > 1 {
      throw ValidationError("--start is of one file, and there are \(files.count).")
    }
  }

  func perform() async throws {
    let list = ImportList(files)
    for line in list.skipped { StandardStreams.error("tachogram: \(line)") }
    var failures = list.failures
    for failure in failures { StandardStreams.error("tachogram: \(failure.message)") }
    if list.files.isEmpty, let failure = failures.first { throw CommandFailure("", code: failure.code) }
    let path = try store.path()
    let database = try CommandFailure.wording { try DatabaseOpening.open(path) }
    let importer = FileImporter(
      database: database, kind: hrv, person: person, label: label, start: start, trustsStraps: trustStraps)
    var imported: [ImportedFile] = []
    for file in list.files {
      if Interrupt.isRequested { throw CommandFailure("stopped by the user before \(file)", code: .interrupted) }
      let input = InputFile(file)
      do {
        let found = try await importer.importFile(input)
        Interrupt.noteStoring()
        imported += found
        if format == .text { for one in found { StandardStreams.out(one.text) } }
        if let failure = InputInterrupt.cutOff(input) {
          StandardStreams.error("tachogram: \(failure.message)")
          failures.append(failure)
          break
        }
      } catch {
        let failure = InputInterrupt.failure(error, of: input)
        guard failure.code != .interrupted else { throw failure }
        StandardStreams.error("tachogram: \(failure.message)")
        failures.append(failure)
      }
    }
    try CommandFailure.wording { try database.close() }
    if format == .json {
      StandardStreams.out(
        try JSONOutput.line(Answer(imported: imported, failed: failures.map(\.message), skipped: list.skipped)))
    }
    if let failure = failures.first { throw CommandFailure("", code: failure.code) }
  }
}

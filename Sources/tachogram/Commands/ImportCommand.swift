import ArgumentParser
import Foundation
import Repository
import TachogramCore

/// `import`: files of sessions and of intervals into the database.
struct ImportCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import sessions: what `export` wrote, captures, or RR intervals of other programs.",
    discussion: """
      json and fhir of this program bring a session back as it was, btsnoop and other captures what was heard. Of RR \
      intervals (csv, text of Kubios and many others, FIT) a session is made that says so. A folder stands for the files in \
      it. What is stored already stays as it is.
      """)

  @Argument(help: "Files, or folders of files.", completion: .file())
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
  }

  func validate() throws {
    if format == .ndjson { throw ValidationError("import has no event lines; use text or json.") }
    if start != nil, files.count > 1 {
      throw ValidationError("--start is of one file, and there are \(files.count).")
    }
  }

  func perform() async throws {
    let all = try files.flatMap(Self.expanded)
    let path = try store.path()
    let database = try CommandFailure.wording { try TachogramDatabase.open(path: path) }
    let importer = FileImporter(
      database: database, kind: hrv, person: person, label: label, start: start, trustsStraps: trustStraps)
    var imported: [ImportedFile] = []
    var failures: [CommandFailure] = []
    for file in all {
      if Interrupt.isRequested { throw CommandFailure("stopped by the user before \(file)", code: .interrupted) }
      do {
        let found = try await Self.wording { try await importer.importFile(file) }
        imported += found
        if format == .text { for one in found { StandardStreams.out(one.text) } }
      } catch let failure as CommandFailure where failure.code != .interrupted {
        StandardStreams.error("tachogram: \(failure.message)")
        failures.append(failure)
      }
    }
    try CommandFailure.wording { try database.close() }
    if format == .json {
      StandardStreams.out(try JSONOutput.line(Answer(imported: imported, failed: failures.map(\.message))))
    }
    if let failure = failures.first { throw CommandFailure("", code: failure.code) }
  }

  private static func wording<Value>(_ body: () async throws -> Value) async throws -> Value {
    let result: Result<Value, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    return try CommandFailure.wording { try result.get() }
  }

  /// The files of a folder in the order of their names, without hidden ones and those that are being written.
  private static func expanded(_ path: String) throws -> [String] {
    switch PathKind(path) {
    case .nothing, .file: return [path]
    case .special: throw CommandFailure("\(path) is a pipe or a device; write it to a file first", code: .badInput)
    case .folder: break
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    let files = names.filter { !$0.hasPrefix(".") && !$0.contains(".part-") }.map { "\(path)/\($0)" }
    guard !files.isEmpty else { throw CommandFailure("\(path) is empty", code: .badInput) }
    return files
  }
}

import ArgumentParser
import Glibc
import Repository

/// `export`: a stored session to a file or to standard output.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export a stored session as csv, json, rr text or btsnoop.")

  @Argument(help: "The session, by its identifier or the first four or more characters of it.")
  var session: String

  @Option(help: "csv, json, rr (one interval in ms a line) or btsnoop (opens in Wireshark and replays here).")
  var format: ExportFormat

  @Option(name: [.short, .long], help: "The file to write; standard output by default.", completion: .file())
  var output: String?

  @Flag(help: "Replace the file if it exists.")
  var force = false

  @OptionGroup var database: DatabaseOption

  func run() throws {
    if output == nil, format == .btsnoop, isatty(STDOUT_FILENO) == 1 {
      throw CommandFailure("btsnoop is not for a terminal; name a file with --output", code: .badUsage)
    }
    let repository = SessionRepository(database: try database.openForReading())
    try CommandFailure.wording {
      let record = try repository.session(matching: session)
      let sink = try ExportSink(path: output, replacing: force)
      try SessionExporter(record: record, repository: repository).write(format, to: sink)
      try sink.finish()
    }
  }
}

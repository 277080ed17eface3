import ArgumentParser
import CommandProcess
import Exchange
import Foundation
import Glibc
import Repository
import TachogramCore

/// `sleep export`: writes a night to a file or to standard output.
struct SleepExportCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export the stages of a night.",
    discussion: """
      \(NightFormat.allCases.map { "\($0.rawValue) (\($0.words))" }.joined(separator: ", ")). Local times are of the time zone \
      of this machine; the environment variable TZ names another one. Where the stage is unknown, it stays unknown.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The session, by its identifier or at least the first four characters of it.")
  var session: String

  @Option(help: "\(NightFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format: NightFormat

  @Option(name: [.short, .long], help: "The file to write. Default: standard output.", completion: .file())
  var output: String?

  @Flag(help: "Overwrite an existing file.")
  var force = false

  @OptionGroup var database: DatabaseOption

  func perform() async throws {
    let opened = try database.openForReading()
    if output == nil, format.isBinary, isatty(STDOUT_FILENO) == 1 {
      throw CommandFailure("\(format.rawValue) is not for a terminal; name a file with --output", code: .badUsage)
    }
    try CommandFailure.wording {
      let record = try SessionRepository(database: opened).session(matching: session)
      let night = try NightExport(record, in: opened, timeZone: .current)
      let sink = try ExportSink(path: output, replacing: force)
      try format.write(night, to: sink)
      try sink.finish()
    }
  }
}

extension NightFormat: ExpressibleByArgument {}

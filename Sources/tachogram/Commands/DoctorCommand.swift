import ArgumentParser
import CommandProcess
import Doctor
import FileSystem
import Foundation
import Listening
import Presentation

/// `doctor`: the problems that prevent or impair receiving straps, with remedies.
struct DoctorCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check Bluetooth, permissions, clock and disk, and suggest a fix for each problem.",
    discussion: """
      Exits with 0 if straps can be received, otherwise with 4. Without --fix nothing is changed.
      """)

  static let ending = Interrupt.Ending.nothing

  @OptionGroup var radio: RadioOptions
  @OptionGroup var store: DatabaseOption

  @Option(help: "text or json.")
  var format = OutputFormat.text

  @Flag(help: "First remove soft rfkill blocks and switch adapters on.")
  var fix = false

  func validate() throws {
    if format == .ndjson { throw ValidationError("doctor does not support ndjson; use text or json.") }
  }

  func perform() async throws {
    let environment = ProcessInfo.processInfo.environment
    let folder = AtomicFile.folder(of: try store.path()) ?? "."
    let examination = DoctorExamination(radio: radio.choice, environment: environment, stateFolder: folder)
    if fix { await switchOn(examination) }
    let report = await examination.report()
    if Task.isCancelled { throw CommandFailure("", code: .interrupted) }
    if format == .json {
      StandardStreams.out(try JSONOutput.line(report))
    } else {
      let isTerminal = StandardStreams.isOutputTerminal
      let style = TerminalStyle(environment: environment, isTerminal: isTerminal)
      let text =
        isTerminal ? DoctorText(style: style, columns: StandardStreams.outputColumns) : DoctorText(style: style)
      StandardStreams.out(text.text(report))
    }
    if !report.usable { throw CommandFailure("", code: .noBluetooth) }
  }

  /// Reports what it does on standard error, because the report is data.
  private func switchOn(_ examination: DoctorExamination) async {
    let steps = await examination.switchOn()
    if steps.isEmpty { StandardStreams.error("nothing was found that a program has switched off") }
    for step in steps { StandardStreams.error(step) }
  }
}

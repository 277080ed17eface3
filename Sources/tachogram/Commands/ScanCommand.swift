import ArgumentParser
import BlueZ
import CommandProcess
import Listening
import Presentation
import TachogramCore

/// `scan`: lists the straps in range.
struct ScanCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "List the straps in range: name, address, signal, known or new.")

  @OptionGroup var radio: RadioOptions
  @OptionGroup var store: DatabaseOption

  @Option(help: "How long to scan, such as 10s or 1m.")
  var duration = SpanOption(seconds: 10)

  @Option(help: "text or json.")
  var format = OutputFormat.text

  func validate() throws {
    if format == .ndjson { throw ValidationError("scan does not support ndjson; use text or json.") }
  }

  func perform() async throws {
    try await radio.choice.requireBluetooth()
    let choice = try StrapChoice(databasePath: try store.path())
    let straps = try await StrapScan.straps(radio.choice, duration: duration.duration)
    let rows = straps.map { ScannedStrap($0, known: choice.strap(named: $0.address.description)) }
    if format == .json {
      StandardStreams.out(try JSONOutput.line(ScannedStraps(straps: rows)))
    } else {
      StandardStreams.out(rows.isEmpty ? Self.nothing : rows.map(\.line).joined())
    }
    if Task.isCancelled { throw CommandFailure("", code: .interrupted) }
  }

  private static let nothing =
    "no strap in range: wear it (most sleep without skin contact), wet the electrodes, and end other connections to it\n"
}

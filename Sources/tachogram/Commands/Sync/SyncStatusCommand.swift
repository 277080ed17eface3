import ArgumentParser
import CommandProcess
import Presentation
import Station
import Sync
import SyncEngine
import TachogramCore

/// `sync status`: shows the state of synchronisation.
struct SyncStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the space, the last synchronisation, what waits, and what is wrong.")

  @Option(help: "text or json.")
  var format = OutputFormat.text

  @OptionGroup var options: SyncOption

  func validate() throws {
    if format == .ndjson { throw ValidationError("sync status does not support ndjson; use text or json.") }
  }

  func run() throws {
    let report = try options.read { try SyncStatusReport($0) }
    if format == .json { return StandardStreams.out(try JSONOutput.line(SyncItem(report))) }
    var lines = [
      "space:      \(report.space)", "station:    \(report.name) (\(report.station.words))",
      "store:      \(report.store)",
      "members:    \(report.members.count { $0.role != .recovery })",
      "last sync:  \(report.lastSync.map(Timestamp.text) ?? "never")",
      "waiting:    \(SyncText.count(report.queue.count, "chunk")) (\(report.queue.bytes) bytes), "
        + "\(SyncText.count(report.unsealedCount, "session")) with new entries",
    ]
    if let problem = report.problem { lines.append("problem:    \(problem)") }
    if report.quarantinedCount > 0 {
      lines.append(
        "\(SyncText.count(report.quarantinedCount, "edit")) from more than a day ahead "
          + "\(SyncText.verb(report.quarantinedCount, "waits", "wait")); compare the clocks of the stations")
    }
    lines += SyncText.findings(report)
    StandardStreams.out(lines.map { TerminalText.safe($0) + "\n" }.joined())
  }
}

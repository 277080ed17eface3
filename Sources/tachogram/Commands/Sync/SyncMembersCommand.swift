import ArgumentParser
import CommandProcess
import Presentation
import Station
import Sync
import SyncEngine
import TachogramCore

/// `sync members`: lists the members of the space.
struct SyncMembersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "members", abstract: "List the members of the space, and when each was last heard of.")

  @Option(help: "text, json (one object) or ndjson (one line per member).")
  var format = OutputFormat.text

  @OptionGroup var options: SyncOption

  func run() throws {
    let report = try options.read { try SyncStatusReport($0) }
    let items = report.members.map(SyncItem.Member.init)
    switch format {
    case .json: StandardStreams.out(try JSONOutput.line(["members": items]))
    case .ndjson: for item in items { StandardStreams.out(try JSONOutput(isPretty: false).text(item) + "\n") }
    case .text:
      for item in items {
        let heard = item.isThisStation ? "this station" : item.lastHeard.map { "last heard \($0)" } ?? "not heard yet"
        let line = "\(item.words)  \(item.role)  \(item.name ?? "without a name")  \(heard)"
        StandardStreams.out(TerminalText.line(line) + "\n")
      }
    }
  }
}

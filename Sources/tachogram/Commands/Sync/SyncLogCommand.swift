import ArgumentParser
import CommandProcess
import Presentation
import Station
import Sync
import SyncEngine
import TachogramCore

/// `sync log`: shows values that were replaced.
struct SyncLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show what people entered on several stations, and which values were replaced.",
    discussion: "Of values that were entered on several stations, the latest holds. The others are kept here.")

  @Option(help: "text, json (one object) or ndjson (one line per value).")
  var format = OutputFormat.text

  @OptionGroup var options: SyncOption

  private struct Item: Encodable {
    let target: String
    let id: String
    let field: String
    let value: String?
    /// `nil` for the value that a session began with.
    let time: String?
    let station: String
    let holds: Bool
  }

  func run() throws {
    let items = try options.read { state in
      state.book.replaced.flatMap { field, history in
        ([history.winner] + history.losing).map { edit in
          Item(
            target: "\(edit.target.kind)", id: edit.target.id, field: "\(field)", value: edit.value,
            time: edit.isBase ? nil : Timestamp.text(edit.time.wall),
            station: state.name(of: edit.time.station) ?? edit.time.station.words, holds: edit == history.winner)
        }
      }
    }
    switch format {
    case .json: StandardStreams.out(try JSONOutput.line(["values": items]))
    case .ndjson: for item in items { StandardStreams.out(try JSONOutput(isPretty: false).text(item) + "\n") }
    case .text:
      if items.isEmpty { StandardStreams.error("no value was replaced") }
      for item in items {
        let mark = item.holds ? "holds   " : "replaced"
        let value = item.value.map { "“\(SyncText.joined($0))”" } ?? "(removed)"
        let time = item.time ?? "at the beginning"
        let line = "\(mark)  \(item.target) \(item.id.prefix(8))  \(item.field)  \(value)  \(time)  \(item.station)"
        StandardStreams.out(TerminalText.line(line) + "\n")
      }
    }
  }
}

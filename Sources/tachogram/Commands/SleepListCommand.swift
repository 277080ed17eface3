import ArgumentParser
import CommandProcess
import Presentation
import Repository
import Sleep
import TachogramCore

/// `sleep list`: lists the nights.
struct SleepListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the nights, the newest first.")

  @OptionGroup var database: DatabaseOption

  @Option(help: "text, json (one object) or ndjson (one line per night).")
  var format = OutputFormat.text

  func run() throws {
    let opened = try database.openForReading()
    let items = try CommandFailure.wording {
      let sessions = try SessionRepository(database: opened).sessions().map { ($0.description.id, $0.description) }
      let descriptions = Dictionary(uniqueKeysWithValues: sessions)
      return try SleepRepository(database: opened).nights().compactMap { night in
        // A session that was deleted meanwhile is left out.
        try descriptions[night.session].map { try SleepItem(night, $0, withPeriods: false) }
      }
    }
    switch format {
    case .json: StandardStreams.out(try JSONOutput.line(["nights": items]))
    case .ndjson: for item in items { StandardStreams.out(try JSONOutput(isPretty: false).text(item) + "\n") }
    case .text:
      if items.isEmpty {
        StandardStreams.error("no nights are stored yet; `tachogram sleep stage SESSION` makes one of a session")
      }
      for item in items { StandardStreams.out(line(item)) }
    }
  }

  private func line(_ item: SleepItem) -> String {
    let asleep =
      item.metrics.map { "\(SleepText.duration($0.totalSleepTime)) asleep" }
      ?? (item.end == nil ? "lasts" : "not estimated yet")
    let score = item.qualityScore.map { "quality \(Int($0.rounded()))" }
    let parts = [String(item.session.prefix(8)), item.start, asleep, score, item.person.map { TerminalText.safe($0) }]
    return parts.compactMap(\.self).joined(separator: "  ") + "\n"
  }
}

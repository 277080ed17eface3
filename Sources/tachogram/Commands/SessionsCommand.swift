import ArgumentParser
import Repository
import TachogramCore

/// `sessions`: what is stored.
struct SessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "List the stored sessions, or show one.")

  @Argument(help: "A session, by its identifier or the first four or more characters of it.")
  var session: String?

  @OptionGroup var database: DatabaseOption

  @Option(help: "text, json (one object) or ndjson (a line a session).")
  var format = OutputFormat.text

  private struct Item: Encodable {
    let id: String
    let start: String
    let end: String
    let origin: String
    let person: String?
    let label: String?
    let strap: StrapSection
    let complete: Bool
    let entries: Int64
    let beats: Int64
    let gaps: Int64

    init(_ record: SessionRecord) {
      id = record.description.id
      start = Timestamp.text(record.description.start)
      end = Timestamp.text(record.end)
      origin = record.description.origin.rawValue
      person = record.description.person
      label = record.description.label
      strap = StrapSection(record.description.strap)
      complete = record.isComplete
      entries = record.entryCount
      beats = record.beatCount
      gaps = record.gapCount
    }
  }

  func run() throws {
    let repository = SessionRepository(database: try database.openForReading())
    let records = try CommandFailure.wording {
      try session.map { [try repository.session(matching: $0)] } ?? repository.sessions()
    }
    let items = records.map(Item.init)
    switch format {
    case .json:
      if session != nil, let item = items.first {
        StandardStreams.out(try JSONOutput.line(item))
      } else {
        StandardStreams.out(try JSONOutput.line(["sessions": items]))
      }
    case .ndjson:
      for item in items { StandardStreams.out(try JSONOutput(isPretty: false).text(item) + "\n") }
    case .text:
      if items.isEmpty {
        StandardStreams.error("no sessions are stored yet; store one with: replay FILE --database PATH")
      }
      for item in items { StandardStreams.out(session == nil ? line(item) : detail(item)) }
    }
  }

  private func line(_ item: Item) -> String {
    let strap = item.strap.name ?? item.strap.address ?? "unknown strap"
    let parts = [
      String(item.id.prefix(8)), item.start, strap, "\(item.beats) beats", "\(item.gaps) gaps",
      item.complete ? "complete" : "incomplete",
    ]
    return (parts + [item.person, item.label].compactMap { $0.map(TerminalText.safe) }).joined(separator: "  ") + "\n"
  }

  private func detail(_ item: Item) -> String {
    """
    session   \(item.id) (\(item.origin), \(item.complete ? "complete" : "incomplete"))
    strap     \(item.strap.name ?? "no name"), \(item.strap.address ?? "address unknown")
    person    \(item.person.map(TerminalText.safe) ?? "nobody named")
    label     \(item.label.map(TerminalText.safe) ?? "none")
    start     \(item.start)
    end       \(item.end)
    ledger    \(item.entries) entries
    derived   \(item.beats) beats, \(item.gaps) gaps

    """
  }
}

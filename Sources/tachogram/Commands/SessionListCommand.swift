import ArgumentParser
import CommandProcess
import Presentation
import Reports
import Repository
import TachogramCore

/// `sessions list`: lists stored sessions.
struct SessionListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the stored sessions, or show one (the default).",
    discussion: """
      --duplicates lists sessions that contain the same recording: the same beats at the same time, whatever format \
      they were imported from. --merge keeps the most precise session, with the person and the label of any of them, \
      and deletes the others.
      """)

  @Argument(help: "A session, by its identifier or at least the first four characters of it.")
  var session: String?

  @Flag(help: "List sessions that contain the same recording.")
  var duplicates = false

  @Flag(help: "With --duplicates: keep the most precise session of each recording, and delete the others.")
  var merge = false

  @OptionGroup var database: DatabaseOption

  @Option(help: "text, json (one object) or ndjson (one line per session).")
  var format = OutputFormat.text

  func validate() throws {
    if merge, !duplicates { throw ValidationError("--merge requires --duplicates.") }
    if duplicates, session != nil {
      throw ValidationError("--duplicates cannot be combined with a session.")
    }
    if duplicates, format == .ndjson {
      throw ValidationError("--duplicates does not support ndjson; use text or json.")
    }
  }

  func run() throws {
    if duplicates { return try SessionDuplicates(database: database, merges: merge, format: format).run() }
    let repository = SessionRepository(database: try database.openForReading())
    let records = try CommandFailure.wording {
      try session.map { [try repository.session(matching: $0)] } ?? repository.sessions()
    }
    let items = try CommandFailure.wording {
      try records.map { record in
        SessionItem(record, markers: session == nil ? nil : try repository.markers(of: record.description.id))
      }
    }
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

  private func line(_ item: SessionItem) -> String {
    let strap = item.strap.name.map(TerminalText.safe) ?? item.strap.address ?? "unknown strap"
    let parts = [
      String(item.id.prefix(8)), item.start, strap, "\(item.beats) beats", "\(item.gaps) gaps",
      item.complete ? "complete" : "incomplete",
    ]
    return (parts + [item.person, item.label].compactMap { $0.map(TerminalText.safe) }).joined(separator: "  ") + "\n"
  }

  private func detail(_ item: SessionItem) -> String {
    """
    session   \(item.id) (\(item.origin), \(item.complete ? "complete" : "incomplete"))
    strap     \(item.strap.name.map(TerminalText.safe) ?? "no name"), \(item.strap.address ?? "address unknown")
    person    \(item.person.map(TerminalText.safe) ?? "not assigned")
    label     \(item.label.map(TerminalText.safe) ?? "none")
    note      \(item.note.map(note) ?? "none")
    start     \(item.start)
    end       \(item.end)
    ledger    \(item.entries) entries
    derived   \(item.beats) beats, \(item.gaps) gaps
    \((item.markers ?? []).map(line).joined())
    """
  }

  /// Returns a note with its further lines indented.
  private func note(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.safe(String($0)) }
      .joined(separator: "\n          ")
  }

  private func line(_ marker: SessionItem.Marker) -> String {
    "marker    \(marker.time)  \(TerminalText.safe(marker.text)) (\(marker.id))\n"
  }
}

import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Recording
import Reports
import Repository
import Sessions
import TachogramCore

/// `reprocess`: derives stored sessions again from their ledgers.
struct ReprocessCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "reprocess",
    abstract: "Derive stored sessions again with this version, and report what changed.",
    discussion: """
      Beats, gaps, artifacts, windows and stress levels are derived from the ledger, which is never changed. Each \
      session is measured against the baseline of the sessions before it. Stress levels that came from a file are \
      kept. Windows and stress levels that a session does not have are not added, because they may have been \
      deleted; --absent adds them.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(
    help: "Sessions, by their identifiers or at least the first four characters of them. Default: all sessions.")
  var sessions: [String] = []

  @Flag(help: "Also derive windows and stress levels of sessions that have none, even if they were deleted.")
  var absent = false

  @Flag(help: "Store nothing; report what would change in each session separately.")
  var dryRun = false

  @OptionGroup var database: DatabaseOption

  @Option(help: "text, json (one object) or ndjson (one line per session).")
  var format = OutputFormat.text

  private struct Answer: Encodable {
    let stored: Bool
    let sessions: [ReprocessReport]
    let failed: [String]
  }

  func perform() async throws {
    let path = try database.path()
    // Exclusively, because a station keeps derived values in memory.
    let store = try CommandFailure.wording { try DatabaseOption.openExisting(path) }
    let reprocessor = SessionReprocessor(database: store)
    let keeping = SessionReprocessor.Keeping(
      installation: ThisInstallation.deviceID(for: store, isReplay: false), restoresAbsent: absent)
    var (reports, failures): ([ReprocessReport], [CommandFailure]) = ([], [])
    for record in try CommandFailure.wording({ try records(store) }) {
      if Interrupt.isRequested {
        throw CommandFailure(
          "stopped by the user before session \(record.description.id); the sessions before it are done",
          code: .interrupted)
      }
      do {
        let change = try CommandFailure.wording {
          try reprocessor.reprocess(record, keeping: keeping, isTrial: dryRun)
        }
        Interrupt.noteStoring()
        let report = ReprocessReport(record, change)
        reports.append(report)
        try write(report)
      } catch {
        let failure = CommandFailure(error, about: "session \(record.description.id)")
        guard failure.code != .interrupted else { throw failure }
        StandardStreams.error("tachogram: \(failure.message)")
        failures.append(failure)
      }
    }
    try CommandFailure.wording { try store.close() }
    try summarise(reports, failures)
    if let failure = failures.first { throw CommandFailure("", code: failure.code) }
  }

  /// Returns the selected sessions, the oldest first.
  private func records(_ store: TachogramDatabase) throws -> [SessionRecord] {
    let repository = SessionRepository(database: store)
    guard !sessions.isEmpty else { return try repository.sessions().reversed() }
    let chosen = Set(try sessions.map { try repository.session(matching: $0).description.id })
    return try repository.sessions().reversed().filter { chosen.contains($0.description.id) }
  }

  private func write(_ report: ReprocessReport) throws {
    switch format {
    case .text: StandardStreams.out(report.text + "\n")
    case .ndjson: StandardStreams.out(try JSONOutput(isPretty: false).text(report) + "\n")
    case .json: break
    }
  }

  private func summarise(_ reports: [ReprocessReport], _ failures: [CommandFailure]) throws {
    switch format {
    case .json:
      let answer = Answer(stored: !dryRun, sessions: reports, failed: failures.map(\.message))
      StandardStreams.out(try JSONOutput.line(answer))
    case .text where reports.isEmpty && failures.isEmpty: StandardStreams.error("tachogram: no sessions are stored")
    case .text:
      let changed = reports.count(where: \.isChanged)
      let what = dryRun ? "would change" : "changed"
      StandardStreams.out("\(changed) of \(reports.count) session\(reports.count == 1 ? "" : "s") \(what)\n")
    case .ndjson: break
    }
  }
}

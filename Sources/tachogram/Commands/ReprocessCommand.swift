import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Recording
import Reports
import Repository
import Sessions
import TachogramCore

/// `reprocess`: stored sessions derived again from what was heard.
struct ReprocessCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "reprocess",
    abstract: "Derive stored sessions again from what was heard, with this version, and tell what changed.",
    discussion: """
      Beats, gaps, artifacts, windows and stress levels are derived from the ledger, which stays as it is; each session is \
      measured against the baseline of the sessions before it. Stress levels that came from a file stay. So do windows and \
      stress levels of sessions that have none: they may have been deleted; --absent derives them as well.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "Sessions, by their identifiers or the first four or more characters of them; by default all.")
  var sessions: [String] = []

  @Flag(help: "Derive windows and stress levels also of sessions that have none, even if they were deleted.")
  var absent = false

  @Flag(help: "Store nothing; tell what would change in each session by itself.")
  var dryRun = false

  @OptionGroup var database: DatabaseOption

  @Option(help: "text, json (one object) or ndjson (a line a session).")
  var format = OutputFormat.text

  private struct Answer: Encodable {
    let stored: Bool
    let sessions: [ReprocessReport]
    let failed: [String]
  }

  func perform() async throws {
    let path = try database.path()
    let store = try CommandFailure.wording { try open(path) }
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

  /// The chosen sessions, the oldest first.
  private func records(_ store: TachogramDatabase) throws -> [SessionRecord] {
    let repository = SessionRepository(database: store)
    guard !sessions.isEmpty else { return try repository.sessions().reversed() }
    let chosen = Set(try sessions.map { try repository.session(matching: $0).description.id })
    return try repository.sessions().reversed().filter { chosen.contains($0.description.id) }
  }

  /// Opens the database with nobody else in it: a station keeps in memory what derives from sessions.
  private func open(_ path: String) throws -> TachogramDatabase {
    // Nothing is made where nothing is.
    guard FileManager.default.fileExists(atPath: path) else { throw RepositoryError.missing(path: path) }
    do {
      return try DatabaseOpening.open(path, for: .exclusive)
    } catch RepositoryError.inUseByRecorder {
      throw CommandFailure("a station or a recording is using \(path); stop it first")
    }
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

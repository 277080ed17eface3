import ArgumentParser
import Capture
import FoundationEssentials
import Pipeline
import Repository
import TachogramCore

/// `analyze`: a file of RR intervals or a stored session to an HRV report.
struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "HRV report of RR intervals in files (text, tables, exports of apps, FIT), or of a stored session.",
  )

  @Argument(help: "Files of RR intervals: text in ms or s, or FIT.", completion: .file())
  var files: [String] = []

  @Option(help: "A stored session, by its identifier or the first four or more characters of it.")
  var session: String?

  @OptionGroup var database: DatabaseOption

  @Option(help: "text, json (one object) or ndjson (a line a file).")
  var format = OutputFormat.text

  @Option(help: "Which metric stands for HRV in the stress level: sdnn or rmssd.")
  var hrv = HRVKind.sdnn

  @OptionGroup var artifacts: ArtifactOptions

  func validate() throws {
    if artifacts.listArtifacts, format == .text {
      throw ValidationError("--list-artifacts needs --format json or ndjson.")
    }
    if files.isEmpty == (session == nil) {
      throw ValidationError("Name one or more files, or a stored session with --session.")
    }
  }

  func run() throws {
    let output = ReplayOutput(format: format, isSingle: session != nil || files.count == 1)
    if let session {
      try CommandFailure.wording { try output.add(analyze(session: session), file: session) }
    }
    var failure: CommandFailure?
    for file in files {
      do {
        try CommandFailure.wording { try output.add(analyze(file: file), file: file) }
      } catch let error as CommandFailure where error.code == .badInput && files.count > 1 {
        StandardStreams.error("tachogram: \(error.message)")
        failure = CommandFailure("", code: error.code)
      }
    }
    try output.finish()
    if let failure { throw failure }
  }

  private func analyze(file: String) throws -> InputReport {
    let series = try RRSeriesReader(path: file).read()
    var analysis = SeriesAnalysis(
      baseline: .standard(kind: hrv, lastUpdated: Date(timeIntervalSince1970: 0)), options: artifacts.analysis)
    for interval in series.intervals { analysis.add(milliseconds: interval.milliseconds, gap: interval.gap) }
    if let note = series.damageNote { StandardStreams.error("tachogram: \(file): \(note)") }
    return InputReport(capture: CaptureSection(series), main: StrapReport(analysis.report()), otherStraps: [])
  }

  private func analyze(session prefix: String) throws -> InputReport {
    let store = try database.openForReading()
    let repository = SessionRepository(database: store)
    let record = try repository.session(matching: prefix)
    let report = try SessionReprocessor(database: store).report(record, kind: hrv, options: artifacts.analysis)
    return InputReport(
      capture: CaptureSection(ledgerEntries: record.entryCount), main: StrapReport(report, withSegments: true),
      otherStraps: [],
    )
  }
}

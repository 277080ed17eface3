import ArgumentParser
import CommandProcess
import Foundation
import IntervalFiles
import Pipeline
import Presentation
import Recording
import Reports
import Repository
import Sessions
import StressKit
import TachogramCore

/// `analyze`: analyses a file of RR intervals or a stored session, and writes an HRV report.
struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Report the HRV of RR intervals in files (text, tables, app exports, FIT), or of a stored session.",
  )

  /// An analysed input.
  private struct Analysed {
    let report: InputReport
    /// The intervals, for the plot.
    let series: SeriesReport
  }

  @Argument(help: "Files of RR intervals: text in ms or s, or FIT. Use - for standard input.", completion: .file())
  var files: [String] = []

  @Option(help: "A stored session, by its identifier or at least the first four characters of it.")
  var session: String?

  @OptionGroup var database: DatabaseOption

  @Option(help: "text, json (one object), ndjson (one line per file) or html (a page with plots, for one input).")
  var format = AnalysisFormat.text

  @Option(
    name: [.short, .long], help: "The file to write with --format html. Default: standard output.",
    completion: .file())
  var output: String?

  @Flag(help: "Overwrite an existing file.")
  var force = false

  @Option(help: "The HRV metric that stress levels are computed from: sdnn or rmssd.")
  var hrv = HRVKind.sdnn

  @OptionGroup var artifacts: ArtifactOptions

  func validate() throws {
    if artifacts.listArtifacts, format == .text || format == .html {
      throw ValidationError("--list-artifacts needs --format json or ndjson.")
    }
    if files.isEmpty == (session == nil) {
      throw ValidationError("Name one or more files, or a stored session with --session.")
    }
    if format == .html, files.count > 1 {
      throw ValidationError(
        "--format html takes one input, not \(files.count). Write one page per input with --output.")
    }
    if format != .html, output != nil {
      throw ValidationError("--output requires --format html. Redirect other formats with >.")
    }
  }

  func run() throws {
    guard let format = format.report else { return try writePage() }
    let output = ReplayOutput(format: format, isSingle: session != nil || files.count == 1)
    if let session {
      try CommandFailure.wording { try add(analyze(session: session), name: session, to: output) }
    }
    var failure: CommandFailure?
    for file in files {
      do {
        try add(analyze(file: file), name: file, to: output)
      } catch {
        let error = CommandFailure(error, about: file)
        guard error.code != .interrupted, files.count > 1 else { throw error }
        StandardStreams.error("tachogram: \(error.message)")
        failure = failure ?? CommandFailure("", code: error.code)
      }
    }
    try output.finish()
    if let failure { throw failure }
  }

  // MARK: - Writing

  private func add(_ input: Analysed, name: String, to output: ReplayOutput) throws {
    let isTerminal = StandardStreams.isOutputTerminal
    let style = TerminalStyle(environment: ProcessInfo.processInfo.environment, isTerminal: isTerminal)
    let columns = isTerminal ? StandardStreams.outputColumns : RRPlot.columnsWithoutTerminal
    let plot = input.series.trace.flatMap { RRPlot($0, columns: columns, unicode: style.unicode) }
    try output.add(input.report, file: name, plot: plot?.text(colour: style.colour) ?? "")
  }

  private func writePage() throws {
    if output == nil, StandardStreams.isOutputTerminal {
      throw CommandFailure("a page is not for a terminal; name a file with --output", code: .badUsage)
    }
    try CommandFailure.wording {
      let input = try session.map { try analyze(session: $0) } ?? analyze(file: files[0])
      let name = session.map { "session \($0)" } ?? URL(fileURLWithPath: files[0]).lastPathComponent
      let page = HTMLReport(
        name: name, input.report, input.series, options: options, version: ProgramVersion.text)
      let text = page.text
      let sink = try ExportSink(path: output, replacing: force)
      try sink.write(text)
      try sink.finish()
    }
  }

  // MARK: - Analysing

  private var options: AnalysisOptions {
    var options = artifacts.analysis
    options.keepsSeries = format == .text || format == .html
    return options
  }

  private func analyze(file: String) throws -> Analysed {
    let series = try RRSeriesReader(path: file).read()
    var analysis = SeriesAnalysis(
      baseline: .default(kind: hrv), options: options)
    for interval in series.intervals {
      analysis.addImpossible(interval.impossibleBefore)
      analysis.add(
        milliseconds: interval.milliseconds, gap: interval.gap, hasUnusableTime: interval.hasUnusableTime)
    }
    analysis.addImpossible(series.impossibleAtEnd)
    for note in [series.damageNote, series.columnsNote, series.timesNote].compactMap(\.self) {
      StandardStreams.error("tachogram: \(file): \(note)")
    }
    let report = analysis.report()
    return Analysed(
      report: InputReport(capture: CaptureSection(series), main: StrapReport(report), otherStraps: []), series: report)
  }

  private func analyze(session prefix: String) throws -> Analysed {
    let store = try database.openForReading()
    let repository = SessionRepository(database: store)
    let record = try repository.session(matching: prefix)
    let report = try SessionReprocessor(database: store).report(record, kind: hrv, options: options)
    let input = InputReport(
      capture: CaptureSection(ledgerEntries: record.entryCount), main: StrapReport(report, withSegments: true),
      otherStraps: [])
    return Analysed(report: input, series: report.series)
  }
}

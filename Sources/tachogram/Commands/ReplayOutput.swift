import CommandProcess
import Presentation
import Reports

/// Writes the results of a replay as they arrive, in the requested format.
final class ReplayOutput {
  private let format: OutputFormat
  private let isSingle: Bool
  private let line = JSONOutput(isPretty: false)
  private var reports: [InputReport] = []

  init(format: OutputFormat, isSingle: Bool) {
    self.format = format
    self.isSingle = isSingle
  }

  /// A function that writes events, or `nil` if the format has none.
  var events: ((EventLine) throws -> Void)? {
    guard format == .ndjson else { return nil }
    return { [line] event in StandardStreams.outUnlessStopped(try line.text(event) + "\n") }
  }

  /// Adds a report. `plot` follows the text for people.
  func add(_ report: InputReport, file: String, plot: String = "") throws {
    switch format {
    case .text:
      if !reports.isEmpty { StandardStreams.out("\n") }
      StandardStreams.out(TextReport(title: file, report).text + plot)
      reports.append(report)
    case .json:
      reports.append(report)
    case .ndjson:
      StandardStreams.out(try line.text(ReportLine(report: report)) + "\n")
    }
  }

  /// Ends the output: one object for one file, an object with `reports` for several.
  func finish() throws {
    guard format == .json else { return }
    if isSingle, let report = reports.first {
      StandardStreams.out(try JSONOutput.line(report))
    } else if !isSingle {
      StandardStreams.out(try JSONOutput.line(["reports": reports]))
    }
  }

  private struct ReportLine: Encodable {
    let report: InputReport

    private enum Key: String, CodingKey {
      case event
    }

    func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("report", forKey: .event)
    }
  }
}

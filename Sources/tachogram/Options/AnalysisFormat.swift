import ArgumentParser
import CommandProcess

/// The format of the results of `analyze`.
enum AnalysisFormat: String, ExpressibleByArgument, CaseIterable {
  /// Text for people, with a plot.
  case text
  /// One JSON object.
  case json
  /// One JSON object per line and input.
  case ndjson
  /// An HTML page with plots.
  case html

  /// The format of a report that is written as it arrives, or `nil` for a page.
  var report: OutputFormat? {
    switch self {
    case .text: .text
    case .json: .json
    case .ndjson: .ndjson
    case .html: nil
    }
  }
}

import ArgumentParser
import CommandProcess

/// How `analyze` writes its results.
enum AnalysisFormat: String, ExpressibleByArgument, CaseIterable {
  /// For people, with a plot.
  case text
  /// One object.
  case json
  /// A line an input.
  case ndjson
  /// A page with plots.
  case html

  /// The format of a report that is written as it comes; `nil` for a page.
  var report: OutputFormat? {
    switch self {
    case .text: .text
    case .json: .json
    case .ndjson: .ndjson
    case .html: nil
    }
  }
}

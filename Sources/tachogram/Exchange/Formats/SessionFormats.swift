import ArgumentParser
import TachogramCore

/// The formats that sessions are exported in, in the order in which they are offered; the first is the usual one.
enum SessionFormats {
  static let all: [any SessionFormat] = [
    CSVFormat(),
    JSONFormat(),
    RRFormat(),
    BtsnoopFormat(),
    KubiosFormat(),
    FITFormat(),
    FHIRFormat(),
  ]

  /// Their names as a sentence lists them: `csv, json or fit`.
  static var names: String {
    let names = all.map(\.format.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// Their names with what they are.
  static var words: String {
    all.map { "\($0.format.name) (\($0.format.words))" }.joined(separator: ", ")
  }

  /// Who writes a format.
  static func writer(of format: ExportFormat) -> (any SessionFormat)? {
    all.first { $0.format == format }
  }
}

extension ExportFormat: ExpressibleByArgument {
  package init?(argument: String) {
    guard let found = SessionFormats.all.first(where: { $0.format.name == argument }) else { return nil }
    self = found.format
  }

  package static var allValueStrings: [String] { SessionFormats.all.map(\.format.name) }

  package var defaultValueDescription: String { name }
}

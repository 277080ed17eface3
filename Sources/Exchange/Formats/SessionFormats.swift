import TachogramCore

/// The export formats in the order in which they are offered. The first is the default.
package enum SessionFormats {
  package static let all: [any SessionFormat] = [
    CSVFormat(),
    JSONFormat(),
    RRFormat(),
    BtsnoopFormat(),
    KubiosFormat(),
    FITFormat(),
    FHIRFormat(),
  ]

  /// The names of the formats as a list in a sentence: `csv, json or fit`.
  package static var names: String {
    let names = all.map(\.format.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// The names of the formats with their descriptions.
  package static var words: String {
    all.map { "\($0.format.name) (\($0.format.words))" }.joined(separator: ", ")
  }

  /// Returns the format with a name, or `nil` if there is no such format.
  package static func format(named name: String) -> ExportFormat? { all.first { $0.format.name == name }?.format }

  /// Returns the writer of a format.
  package static func writer(of format: ExportFormat) -> (any SessionFormat)? {
    all.first { $0.format == format }
  }
}

import TachogramCore

/// The formats that sessions are exported in, in the order in which they are offered; the first is the usual one.
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

  /// Their names as a sentence lists them: `csv, json or fit`.
  package static var names: String {
    let names = all.map(\.format.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// Their names with what they are.
  package static var words: String {
    all.map { "\($0.format.name) (\($0.format.words))" }.joined(separator: ", ")
  }

  /// The format of a name; `nil` where there is none.
  package static func format(named name: String) -> ExportFormat? { all.first { $0.format.name == name }?.format }

  /// Who writes a format.
  package static func writer(of format: ExportFormat) -> (any SessionFormat)? {
    all.first { $0.format == format }
  }
}

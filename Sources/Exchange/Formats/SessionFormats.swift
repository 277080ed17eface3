import TachogramCore

/// The export formats in the order in which they are offered. The first is the default.
package enum SessionFormats {
  /// The formats that hold every session.
  package static let all: [any SessionFormat] = [
    CSVFormat(),
    JSONFormat(),
    RRFormat(),
    BtsnoopFormat(),
    KubiosFormat(),
    FITFormat(),
    FHIRFormat(),
  ]

  /// The formats of commands: besides, those of what few sessions have.
  package static let ofCommands: [any SessionFormat] = all + [ECGCSVFormat(), ECGEDFFormat()]

  /// The names of the formats of commands as a list in a sentence: `csv, json or fit`.
  package static var names: String {
    let names = ofCommands.map(\.format.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// The names of the formats of commands with their descriptions.
  package static var words: String {
    ofCommands.map { "\($0.format.name) (\($0.format.words))" }.joined(separator: ", ")
  }

  /// Returns the format with a name, or `nil` if there is no such format.
  package static func format(named name: String) -> ExportFormat? {
    ofCommands.first { $0.format.name == name }?.format
  }

  /// Returns the writer of a format.
  package static func writer(of format: ExportFormat) -> (any SessionFormat)? {
    ofCommands.first { $0.format == format }
  }
}

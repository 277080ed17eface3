import ArgumentParser
import Exchange
import TachogramCore

extension ExportFormat: ExpressibleByArgument {
  package init?(argument: String) {
    guard let found = SessionFormats.format(named: argument) else { return nil }
    self = found
  }

  package static var allValueStrings: [String] { SessionFormats.ofCommands.map(\.format.name) }

  package var defaultValueDescription: String { name }
}

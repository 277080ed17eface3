import CommandProcess

/// A format in which nights are exported.
package enum NightFormat: String, CaseIterable, Sendable {
  case openMHealth = "open-mhealth"
  case fhir
  case appleHealth = "apple-health"
  case edf
  case csv

  /// The content for people.
  package var words: String {
    switch self {
    case .openMHealth: "Open mHealth sleep-episode 1.1 and sleep-duration 2.0"
    case .fhir: "HL7 FHIR R4 Observations"
    case .appleHealth: "records as in the export of Apple Health"
    case .edf: "an EDF+ hypnogram"
    case .csv: "a row per epoch of 30 s"
    }
  }

  package var isBinary: Bool { self == .edf }

  /// Writes a night. Throws a failure if the format cannot hold it, and errors of the sink.
  package func write(_ night: NightExport, to sink: any ByteSink) throws {
    switch self {
    case .openMHealth: try OpenMHealthNight(night).write(to: sink)
    case .fhir: try FHIRNight(night: night).write(to: sink)
    case .appleHealth: try AppleHealthNight(night: night).write(to: sink)
    case .edf: try EDFNight(night: night).write(to: sink)
    case .csv: try NightCSV(night: night).write(to: sink)
    }
  }
}

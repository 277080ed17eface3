import CommandProcess
import TachogramCore

/// A bundle of HL7 FHIR R4 with Observations of every 5 minutes, and the session itself attached.
struct FHIRFormat: SessionFormat {
  let format = ExportFormat.fhir

  func omissions(of session: StoredSession) throws -> [String] { [] }

  func write(_ session: StoredSession, to sink: any ByteSink) throws {
    try FHIRExport(session: session).write(to: sink)
  }
}

extension ExportFormat {
  static let fhir = ExportFormat(
    name: "fhir", title: "FHIR", words: "HL7 FHIR R4", fileExtension: "fhir.json",
    mediaType: "application/fhir+json; charset=utf-8")
}

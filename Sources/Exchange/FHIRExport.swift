import CommandProcess
import Foundation
import Presentation
import Reports
import Repository
import TachogramCore

/// A writer of one session as a bundle of HL7 FHIR R4: heart rate (LOINC 8867-4) and SDNN (LOINC 80404-7) of each 5 minutes as
/// Observations, and the session itself, as JSON of this program, as the document from which they are derived.
struct FHIRExport {
  /// The length of the exported windows, in microseconds.
  private static let length = WindowLength.fiveMinutes
  static let loinc = "http://loinc.org"

  let session: StoredSession

  func write(to sink: some ByteSink) throws {
    let description = session.description
    let strap = StrapSection(description.strap)
    var entries: [FHIRBundle.Entry] = []
    func add(_ resource: FHIRResource, _ role: String) -> FHIRResource.Reference {
      let url = "urn:uuid:\(uuid(role))"
      entries.append(FHIRBundle.Entry(fullUrl: url, resource: resource))
      return FHIRResource.Reference(reference: url)
    }
    let patient = add(.patient(.init(name: description.person.map { [.init(text: $0)] })), "patient")
    let device = add(
      .device(
        .init(
          identifier: strap.address.map { [.init(system: "urn:ietf:rfc:3986", value: "urn:bluetooth:\($0)")] },
          manufacturer: strap.manufacturer, deviceName: strap.name.map { [.init(name: $0)] }, modelNumber: strap.model,
          type: .init(text: "Heart rate sensor"))), "device")
    let document = add(.document(try document(of: patient)), "document")
    for window in try windows() {
      let begin = max(
        description.start, description.wall(window.end).advanced(byMicroseconds: -Self.length.microseconds))
      let period = FHIRResource.Period(
        start: Timestamp.text(begin), end: Timestamp.text(description.wall(window.end)))
      func observe(_ value: Double?, _ unit: String, _ code: FHIRResource.Concept, _ category: FHIRResource.Concept?) {
        guard let value else { return }
        let observation = FHIRResource.Observation(
          category: category.map { [$0] }, code: code, subject: patient, effectivePeriod: period,
          valueQuantity: .init(value: value, unit: unit == "/min" ? "beats/minute" : unit, code: unit),
          device: device, derivedFrom: [document])
        _ = add(.observation(observation), "\(code.coding[0].code) \(window.end.microseconds)")
      }
      observe(window.metrics.values.meanHeartRate, "/min", Self.heartRate, Self.vitalSigns)
      observe(window.metrics.values.sdnn, "ms", Self.sdnn, nil)
    }
    let bundle = FHIRBundle(timestamp: Timestamp.text(session.record.end), entry: entries)
    try sink.write(JSONOutput.line(bundle))
  }

  static let heartRate = FHIRResource.Concept(
    coding: [.init(system: loinc, code: "8867-4", display: "Heart rate")], text: "Mean heart rate")
  private static let sdnn = FHIRResource.Concept(
    coding: [
      .init(system: loinc, code: "80404-7", display: "R-R interval.standard deviation (Heart rate variability)")
    ], text: "SDNN")
  static let vitalSigns = FHIRResource.Concept(
    coding: [
      .init(
        system: "http://terminology.hl7.org/CodeSystem/observation-category", code: "vital-signs",
        display: "Vital Signs")
    ], text: "Vital Signs")

  private func document(of patient: FHIRResource.Reference) throws -> FHIRResource.DocumentReference {
    let json = MemorySink()
    try JSONExport(session: session, isWhole: false).write(to: json)
    return FHIRResource.DocumentReference(
      subject: patient, date: Timestamp.text(session.record.end),
      content: [
        .init(
          attachment: .init(
            contentType: "application/json", data: Data(json.bytes).base64EncodedString(),
            title: SessionArchive.title))
      ])
  }

  /// Returns consecutive complete windows without overlap, or the last window of a shorter session.
  private func windows() throws -> [HRVWindow] {
    let all = try session.repository.windows(of: session.id)
      .filter { $0.length == Self.length && $0.metrics.values.meanHeartRate != nil }
    var chosen: [HRVWindow] = []
    for window in all {
      let last = chosen.last?.end ?? session.description.monotonicStart
      if window.end.microseconds(since: last) >= Self.length.microseconds { chosen.append(window) }
    }
    return chosen.isEmpty ? Array(all.suffix(1)) : chosen
  }

  /// Returns a UUID that is the same for the same session, so that the export of equal sessions is byte-identical.
  private func uuid(_ role: String) -> String {
    var hash = ContentHash()
    hash.add(session.id.utf8)
    hash.add(role.utf8)
    return hash.uuidText
  }
}

import CommandProcess
import Presentation
import Reports
import Sleep
import TachogramCore

/// A writer of a night as a bundle of HL7 FHIR R4 with Observations: the durations of sleep and of its stages (LOINC 93832-4,
/// 93830-8, 93831-6, 93829-0), and the mean heart rate asleep (8867-4).
///
/// The codes are those of the value set `pcd-sleep-observation-code` of HL7. Other metrics have no code that a terminology
/// confirms, and are left out. The duration of a stage is left out if some sleep has no stage, since it would be too short.
struct FHIRNight {
  let night: NightExport

  func write(to sink: some ByteSink) throws {
    let strap = StrapSection(night.session.strap)
    var entries: [FHIRBundle.Entry] = []
    func add(_ resource: FHIRResource, _ role: String) -> FHIRResource.Reference {
      let url = "urn:uuid:\(night.uuid(role))"
      entries.append(FHIRBundle.Entry(fullUrl: url, resource: resource))
      return FHIRResource.Reference(reference: url)
    }
    let patient = add(.patient(.init(name: night.session.person.map { [.init(text: $0)] })), "patient")
    let device = add(
      .device(
        .init(
          identifier: strap.address.map { [.init(system: "urn:ietf:rfc:3986", value: "urn:bluetooth:\($0)")] },
          manufacturer: strap.manufacturer, deviceName: strap.name.map { [.init(name: $0)] }, modelNumber: strap.model,
          type: .init(text: night.session.madeFrom == nil ? "Heart rate sensor" : "Sleep tracker"))), "device")
    let period = FHIRResource.Period(start: Timestamp.text(night.lightsOff), end: Timestamp.text(night.lightsOn))
    func observe(
      _ value: Double?, _ unit: String, _ ucum: String, _ code: FHIRResource.Concept,
      category: FHIRResource.Concept? = nil
    ) {
      guard let value else { return }
      let observation = FHIRResource.Observation(
        category: category.map { [$0] }, code: code, subject: patient, effectivePeriod: period,
        valueQuantity: .init(value: value, unit: unit, code: ucum), device: device, derivedFrom: nil,
        method: .init(text: night.estimator))
      _ = add(.observation(observation), code.coding[0].code)
    }
    observe(night.metrics.totalSleepTime, "min", "min", Self.concept("93832-4", "Sleep duration"))
    for (stage, code, name) in Self.stages where isComplete(stage) {
      observe(night.metrics.minutes(of: stage), "min", "min", Self.concept(code, name))
    }
    observe(
      night.meanHeartRate, "beats/minute", "/min", FHIRExport.heartRate, category: FHIRExport.vitalSigns)
    try sink.write(JSONOutput.line(FHIRBundle(timestamp: Timestamp.text(night.lightsOn), entry: entries)))
  }

  private static let stages: [(stage: SleepStage, code: String, name: String)] = [
    (.light, "93830-8", "Light sleep duration"), (.deep, "93831-6", "Deep sleep duration"),
    (.rem, "93829-0", "REM sleep duration"),
  ]

  private static func concept(_ code: String, _ name: String) -> FHIRResource.Concept {
    FHIRResource.Concept(coding: [.init(system: FHIRExport.loinc, code: code, display: name)], text: name)
  }

  /// Whether all sleep of a stage has it: more estimators distinguish REM sleep than light and deep sleep.
  private func isComplete(_ stage: SleepStage) -> Bool {
    let vague: Set<SleepStage> = stage == .rem ? [.asleep] : [.asleep, .nrem]
    return night.metrics.totalSleepTime > 0 && !night.epochs.contains { vague.contains($0.stage) }
  }
}

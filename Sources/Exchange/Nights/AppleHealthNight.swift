import CommandProcess
import TachogramCore

/// A writer of a night as XML with the elements and attributes of `export.xml` of Apple Health: sleep analysis (the time in bed,
/// and stages as far as they are known) and heart rate of each epoch.
struct AppleHealthNight {
  static let sleepType = "HKCategoryTypeIdentifierSleepAnalysis"
  static let valuePrefix = "HKCategoryValueSleepAnalysis"
  private static let heartRateType = "HKQuantityTypeIdentifierHeartRate"
  private static let me = [
    "HKCharacteristicTypeIdentifierDateOfBirth": "",
    "HKCharacteristicTypeIdentifierBiologicalSex": "HKBiologicalSexNotSet",
    "HKCharacteristicTypeIdentifierBloodType": "HKBloodTypeNotSet",
    "HKCharacteristicTypeIdentifierFitzpatrickSkinType": "HKFitzpatrickSkinTypeNotSet",
  ]
  private static let documentType = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!ELEMENT HealthData (ExportDate,Me,(Record)*)>
    <!ATTLIST HealthData locale CDATA #REQUIRED>
    <!ELEMENT ExportDate EMPTY>
    <!ATTLIST ExportDate value CDATA #REQUIRED>
    <!ELEMENT Me EMPTY>
    <!ATTLIST Me
      \(me.keys.sorted().map { "\($0) CDATA #REQUIRED" }.joined(separator: "\n  "))
    >
    <!ELEMENT Record EMPTY>
    <!ATTLIST Record
      type CDATA #REQUIRED
      sourceName CDATA #REQUIRED
      unit CDATA #IMPLIED
      creationDate CDATA #IMPLIED
      startDate CDATA #REQUIRED
      endDate CDATA #REQUIRED
      value CDATA #IMPLIED
    >
    ]>

    """

  let night: NightExport

  func write(to sink: some ByteSink) throws {
    let end = night.clock.spacedText(night.lightsOn)
    try sink.write(Self.documentType)
    try sink.write("<HealthData locale=\"en_US\">\n <ExportDate value=\"\(end)\"/>\n <Me")
    for (name, value) in Self.me.sorted(by: { $0.key < $1.key }) { try sink.write(" \(name)=\"\(value)\"") }
    try sink.write("/>\n")
    try sink.write(record(Self.sleepType, Self.valuePrefix + "InBed", night.lightsOff, night.lightsOn))
    for period in night.periods {
      guard let name = Self.name(period.stage) else { continue }
      try sink.write(record(Self.sleepType, Self.valuePrefix + name, period.start, period.end))
    }
    for (place, epoch) in night.epochs.enumerated() {
      guard let rate = epoch.heartRate else { continue }
      let value = "\((rate * 10).rounded() / 10)"
      try sink.write(
        record(Self.heartRateType, value, night.start(of: place), night.start(of: place + 1), unit: "count/min"))
    }
    try sink.write("</HealthData>\n")
  }

  private func record(
    _ type: String, _ value: String, _ start: WallTime, _ end: WallTime, unit: String? = nil
  ) -> String {
    let dates = ["startDate": start, "endDate": end].mapValues(night.clock.spacedText)
    let unit = unit.map { " unit=\"\($0)\"" } ?? ""
    return " <Record type=\"\(type)\" sourceName=\"Tachogram\"\(unit) creationDate=\"\(dates["endDate"] ?? "")\" "
      + "startDate=\"\(dates["startDate"] ?? "")\" endDate=\"\(dates["endDate"] ?? "")\" value=\"\(value)\"/>\n"
  }

  /// Returns the end of the name of a category, or `nil` for a stage that Apple Health has no record of.
  private static func name(_ stage: SleepStage) -> String? {
    switch stage {
    case .wake: "Awake"
    case .light: "AsleepCore"
    case .deep: "AsleepDeep"
    case .rem: "AsleepREM"
    case .nrem, .asleep: "AsleepUnspecified"
    case .unknown: nil
    }
  }
}

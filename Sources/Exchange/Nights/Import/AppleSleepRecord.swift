import TachogramCore

/// A record of sleep analysis of Apple Health.
struct AppleSleepRecord: Hashable {
  let start: WallTime
  let end: WallTime
  /// `nil` for time in bed.
  let stage: SleepStage?

  /// Creates a record from the attributes of its element. Throws if a value is missing or unknown.
  init(_ attributes: [String: String]) throws(NightReadError.Problem) {
    let value = attributes["value"] ?? ""
    let name = value.dropFirst(AppleHealthNight.valuePrefix.count)
    stage = Self.stages[String(name)]
    guard value.hasPrefix(AppleHealthNight.valuePrefix), stage != nil || name == "InBed" else { throw .stage(value) }
    start = try Self.time(attributes["startDate"] ?? "")
    end = try Self.time(attributes["endDate"] ?? "")
    guard start < end else { throw .reversed }
    guard end.microseconds - start.microseconds <= EpochGrid.longest else { throw .tooLong }
    guard RecordingDates.range.contains(start), RecordingDates.range.contains(end) else { throw .date }
  }

  /// The ends of the names of categories. `Asleep` is older than stages.
  private static let stages: [String: SleepStage] = [
    "Asleep": .asleep, "AsleepUnspecified": .asleep, "AsleepCore": .light, "AsleepDeep": .deep,
    "AsleepREM": .rem, "Awake": .wake,
  ]

  /// Returns the instant of `2026-03-29 22:10:00 +0200`.
  private static func time(_ text: String) throws(NightReadError.Problem) -> WallTime {
    let parts = text.split(separator: " ")
    guard parts.count == 3, parts[2].count == 5,
      let time = Timestamp.time("\(parts[0])T\(parts[1])\(parts[2].prefix(3)):\(parts[2].suffix(2))")
    else { throw .time(text) }
    return time
  }
}

import Sleep
import TachogramCore

/// A night in the JSON export, with its stages. Times are on the axis of the ledger, heart rates in bpm, RMSSD in ms.
struct NightRow: Codable {
  struct Stage: Codable {
    let startUs: Int64
    let endUs: Int64
    let stage: String
  }

  /// How long before the first beat a person may go to bed, in microseconds: a day.
  private static let longestWait: Int64 = 86_400_000_000

  let origin: String
  let lightsOffUs: Int64
  /// `nil` while the night lasts.
  let lightsOnUs: Int64?
  /// `nil` until the stages were estimated.
  let estimator: String?
  let lowestHeartRate: Double?
  let meanHeartRate: Double?
  let rmssd: Double?
  let stages: [Stage]?

  init(_ night: SleepSession) {
    origin = night.origin.rawValue
    lightsOffUs = night.lightsOff.microseconds
    lightsOnUs = night.lightsOn?.microseconds
    estimator = night.staging?.estimator
    lowestHeartRate = night.staging?.lowestHeartRate
    meanHeartRate = night.staging?.meanHeartRate
    rmssd = night.staging?.rmssd
    stages = night.staging?.periods.map {
      Stage(startUs: $0.start.microseconds, endUs: $0.end.microseconds, stage: $0.stage.rawValue)
    }
  }

  /// Returns the night of a session. Throws a failure that names a value that is no part of one, or contradicts the session: a night
  /// lies within its recording, unless it was imported without one, and its stages lie within the night.
  func night(of incoming: SessionImporter.Incoming, path: String) throws -> SleepSession {
    let session = incoming.description.id
    let start = incoming.description.monotonicStart.microseconds
    // A night has whole epochs, and times in text are truncated.
    let end = incoming.entries.last.map { $0.monotonic.microseconds + SleepAxis.microsecondsPerEpoch } ?? Int64.max
    func check(_ isRight: Bool, _ key: String) throws {
      guard isRight else { throw SessionArchive.wrong("night.\(key)", path) }
    }
    guard let origin = SleepSession.Origin(rawValue: origin) else { throw SessionArchive.wrong("night.origin", path) }
    try check(
      (start - Self.longestWait..<SessionArchive.latestTime).contains(lightsOffUs) && lightsOffUs <= end, "lightsOffUs")
    if let lightsOnUs {
      let longest = lightsOffUs + Int64(SleepAxis.maximumEpochCount) * SleepAxis.microsecondsPerEpoch
      try check((lightsOffUs...min(end, longest)).contains(lightsOnUs), "lightsOnUs")
    } else {
      try check(!incoming.isComplete && estimator == nil, "lightsOnUs")
    }
    for (key, value, range) in [
      ("lowestHeartRate", lowestHeartRate, 10.0...400.0), ("meanHeartRate", meanHeartRate, 10.0...400.0),
      ("rmssd", rmssd, 0...5_000),
    ] {
      try check(value.map(range.contains) ?? true, key)
    }
    try check((estimator == nil) == (stages == nil), "estimator")
    var night = SleepSession(
      session: session, origin: origin, lightsOff: MonotonicTime(microseconds: lightsOffUs),
      lightsOn: lightsOnUs.map(MonotonicTime.init(microseconds:)))
    guard let estimator else { return night }
    try check(ChosenName.isName(estimator), "estimator")
    var last = lightsOffUs
    let periods = try (stages ?? []).enumerated().map { position, one in
      guard let stage = SleepStage(rawValue: one.stage) else {
        throw SessionArchive.wrong("night.stages[\(position)].stage", path)
      }
      try check(one.startUs >= last && one.startUs < lightsOnUs ?? 0, "stages[\(position)].startUs")
      try check(one.endUs > one.startUs && one.endUs <= lightsOnUs ?? 0, "stages[\(position)].endUs")
      last = one.endUs
      return SleepStagePeriod(
        start: MonotonicTime(microseconds: one.startUs), end: MonotonicTime(microseconds: one.endUs), stage: stage)
    }
    night.staging = SleepSession.Staging(
      estimator: estimator, periods: periods, lowestHeartRate: lowestHeartRate, meanHeartRate: meanHeartRate,
      rmssd: rmssd)
    return night
  }
}

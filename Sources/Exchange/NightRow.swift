import TachogramCore

/// A night in the JSON export, with its stages. Times are on the axis of the ledger, heart rates in bpm, RMSSD in ms.
struct NightRow: Codable {
  struct Stage: Codable {
    let startUs: Int64
    let endUs: Int64
    let stage: String
  }

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

  /// Returns the night of a session. Throws a failure that names a value that is no part of one.
  func night(of session: String, path: String) throws -> SleepSession {
    func check(_ isRight: Bool, _ key: String) throws {
      guard isRight else { throw SessionArchive.wrong("night.\(key)", path) }
    }
    guard let origin = SleepSession.Origin(rawValue: origin) else { throw SessionArchive.wrong("night.origin", path) }
    try check(lightsOffUs.magnitude < SessionArchive.latest, "lightsOffUs")
    try check(lightsOnUs.map { $0 >= lightsOffUs && $0.magnitude < SessionArchive.latest } ?? true, "lightsOnUs")
    let rates = [
      ("lowestHeartRate", lowestHeartRate), ("meanHeartRate", meanHeartRate), ("rmssd", rmssd),
    ]
    for (key, value) in rates { try check(value.map { $0.isFinite && $0 >= 0 } ?? true, key) }
    var night = SleepSession(
      session: session, origin: origin, lightsOff: MonotonicTime(microseconds: lightsOffUs),
      lightsOn: lightsOnUs.map(MonotonicTime.init(microseconds:)))
    guard let estimator else { return night }
    try check(ChosenName.isName(estimator), "estimator")
    var last = Int64.min
    let periods = try (stages ?? []).enumerated().map { position, one in
      guard let stage = SleepStage(rawValue: one.stage) else {
        throw SessionArchive.wrong("night.stages[\(position)].stage", path)
      }
      try check(one.startUs >= last && one.startUs.magnitude < SessionArchive.latest, "stages[\(position)].startUs")
      try check(one.endUs > one.startUs && one.endUs.magnitude < SessionArchive.latest, "stages[\(position)].endUs")
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

import Recording
import Sleep
import TachogramCore

/// A stored night in output for programs.
struct SleepItem: Encodable {
  struct Period: Encodable {
    let start: String
    let end: String
    let stage: String
  }

  let session: String
  let person: String?
  let origin: String
  let start: String
  /// `nil` while the night lasts.
  let end: String?
  let estimator: String?
  /// Beats per minute.
  let lowestHeartRate: Double?
  let meanHeartRate: Double?
  /// Milliseconds.
  let rmssd: Double?
  /// `nil` until the stages were estimated.
  let metrics: SleepMetricsReport?
  let qualityScore: Double?
  /// `nil` in a list.
  let periods: [Period]?

  /// `description` is that of the session of the night.
  init(_ night: SleepSession, _ description: SessionDescription, withPeriods: Bool) throws {
    let metrics = try night.staging.map { try SleepMetrics($0.stages) }
    session = night.session
    person = description.person
    origin = night.origin.rawValue
    start = Timestamp.text(description.wall(night.lightsOff))
    end = night.lightsOn.map { Timestamp.text(description.wall($0)) }
    estimator = night.staging?.estimator
    lowestHeartRate = night.staging?.lowestHeartRate
    meanHeartRate = night.staging?.meanHeartRate
    rmssd = night.staging?.rmssd
    self.metrics = metrics.map(SleepMetricsReport.init)
    qualityScore = metrics.flatMap(SleepQualityScore.score)
    periods =
      withPeriods
      ? night.staging?.periods.map { period in
        Period(
          start: Timestamp.text(description.wall(period.start)), end: Timestamp.text(description.wall(period.end)),
          stage: period.stage.rawValue)
      } : nil
  }
}

/// A night: what is known of a session in which a person slept.
package struct SleepSession: Hashable, Sendable {
  /// How the night was begun.
  package enum Origin: String, Hashable, Sendable, CaseIterable {
    /// On the page or through the API.
    case page
    /// By the command.
    case command
    /// By the station, because the strap was worn inside the usual hours.
    case automatic
    /// By an import.
    case file
  }

  /// The stages of a night, and what they were estimated with.
  package struct Staging: Hashable, Sendable {
    /// The name of the estimator.
    package var estimator: String
    /// The periods in order, without overlaps.
    package var periods: [SleepStagePeriod]
    /// The lowest heart rate of a minute, in bpm, or `nil` without a window of a minute.
    package var lowestHeartRate: Double?
    /// The mean heart rate of the time asleep, in bpm.
    package var meanHeartRate: Double?
    /// The mean RMSSD of the five-minute windows of the time asleep, in ms.
    package var rmssd: Double?

    package init(
      estimator: String, periods: [SleepStagePeriod], lowestHeartRate: Double? = nil, meanHeartRate: Double? = nil,
      rmssd: Double? = nil,
    ) {
      self.estimator = estimator
      self.periods = periods
      self.lowestHeartRate = lowestHeartRate
      self.meanHeartRate = meanHeartRate
      self.rmssd = rmssd
    }
  }

  /// The identifier of the session.
  package var session: String
  package var origin: Origin
  /// The beginning of the time in bed.
  package var lightsOff: MonotonicTime
  /// The end of the time in bed, or `nil` while the night lasts.
  package var lightsOn: MonotonicTime?
  /// `nil` until the stages were estimated.
  package var staging: Staging?

  package init(
    session: String, origin: Origin, lightsOff: MonotonicTime, lightsOn: MonotonicTime? = nil, staging: Staging? = nil,
  ) {
    self.session = session
    self.origin = origin
    self.lightsOff = lightsOff
    self.lightsOn = lightsOn
    self.staging = staging
  }
}

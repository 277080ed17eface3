import TachogramCore

extension SleepSession {
  /// Returns the same night of another session, on its axis.
  func moved(to session: String, by moved: (MonotonicTime) -> MonotonicTime) -> SleepSession {
    var night = self
    night.session = session
    (night.lightsOff, night.lightsOn) = (moved(lightsOff), lightsOn.map(moved))
    night.staging?.periods = periods(by: moved)
    return night
  }

  private func periods(by moved: (MonotonicTime) -> MonotonicTime) -> [SleepStagePeriod] {
    (staging?.periods ?? []).map { SleepStagePeriod(start: moved($0.start), end: moved($0.end), stage: $0.stage) }
  }
}

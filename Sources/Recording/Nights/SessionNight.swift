import FoundationEssentials
import Repository
import Sleep
import TachogramCore

/// The night of a stored session: its beats and its movement on the time axis of `Sleep`, which begins with the time in bed.
///
/// The cost in time and memory is that of reading the beats of the session.
package struct SessionNight {
  /// The reasons why a session is not a night.
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The time in bed is shorter than an epoch.
    case tooShort(session: String)
    /// The time in bed is longer than the longest night, in hours.
    case tooLong(session: String, hours: Int)

    package var description: String {
      switch self {
      case .tooShort(let session):
        "the time in bed of session \(session) is shorter than 30 s; give other times with --from and --to"
      case .tooLong(let session, let hours):
        "the time in bed of session \(session) is longer than \(hours) hours; give its times with --from and --to"
      }
    }
  }

  /// The movement of epochs with less than this share of samples is not known.
  private static let leastMovementCoverage = 0.5

  package let session: SessionDescription
  /// The time in bed, a whole number of epochs.
  package let lightsOff: MonotonicTime
  package let lightsOn: MonotonicTime
  package let night: SleepNight
  private let beats: [Beat]
  private let windows: [HRVWindow]

  /// Reads the night of a session. `lightsOff` and `lightsOn` are the time in bed, by default the whole session; its last, shorter
  /// epoch is left out. `timeZone` is that in which the person slept. Throws `RepositoryError`, `Failure`, or `SleepInputError`.
  package init(
    _ record: SessionRecord, from lightsOff: MonotonicTime? = nil, to lightsOn: MonotonicTime? = nil,
    in database: TachogramDatabase, timeZone: TimeZone,
  ) throws {
    session = record.description
    let repository = SessionRepository(database: database)
    var events: [BeatEvent] = []
    try repository.forEachEvent(of: session.id, batchSize: 8192) { events.append($0) }
    let beats = events.compactMap { if case .beat(let beat) = $0 { beat } else { nil } }
    let start = lightsOff ?? beats.first?.start ?? session.monotonicStart
    let end = lightsOn ?? beats.last?.time ?? start
    let epochs = end.microseconds(since: start) / SleepAxis.microsecondsPerEpoch
    guard epochs >= 1 else { throw Failure.tooShort(session: session.id) }
    guard epochs <= SleepAxis.maximumEpochCount else {
      throw Failure.tooLong(session: session.id, hours: SleepAxis.maximumEpochCount / 120)
    }
    self.lightsOff = start
    self.lightsOn = start.advanced(byMicroseconds: epochs * SleepAxis.microsecondsPerEpoch)
    self.beats = beats
    windows = try repository.windows(of: session.id).filter { (start...end).contains($0.end) }
    let movement = try SleepRepository(database: database).movement(of: session.id)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let clock = calendar.dateComponents([.hour, .minute, .second], from: session.wall(start).date)
    let second = (clock.hour ?? 0) * 3_600 + (clock.minute ?? 0) * 60 + (clock.second ?? 0)
    night = try SleepNight(
      epochCount: Int(epochs),
      beats: NightBeats(events, from: start),
      movements: movement.compactMap { epoch in
        let time = SleepAxis.ticks(microseconds: epoch.time.microseconds(since: start))
        guard epoch.coverage >= Self.leastMovementCoverage else { return nil }
        return time < 0 || epoch.time >= end ? nil : MovementSample(time: time, intensity: epoch.intensity)
      }, sleeper: Sleeper(startSecondOfDay: second))
  }

  // MARK: - Results

  /// Returns what is stored of stages of this night.
  package func staging(_ staged: StagedNight) -> SleepSession.Staging {
    let lowest = windows.filter { $0.length == .minute && $0.coverage >= CoverageRule.minimumCoverage }
      .compactMap(\.metrics.values.meanHeartRate).min()
    let variability = windows.filter { $0.length == .fiveMinutes && isAsleep(at: $0.end, staged) }
      .compactMap(\.metrics.values.rmssd)
    var (count, ticks) = (0, Int64(0))
    for beat in beats where !beat.marks.isOutOfRange && isAsleep(at: beat.time, staged) {
      count += 1
      ticks += Int64(beat.rr.ticks)
    }
    return SleepSession.Staging(
      estimator: staged.estimator, periods: SleepStagePeriod.periods(of: staged.stages, from: lightsOff),
      lowestHeartRate: lowest,
      meanHeartRate: ticks > 0 ? 60 * Double(SleepAxis.ticksPerSecond) * Double(count) / Double(ticks) : nil,
      rmssd: variability.isEmpty ? nil : variability.reduce(0, +) / Double(variability.count))
  }

  private func isAsleep(at time: MonotonicTime, _ staged: StagedNight) -> Bool {
    let place = Int(time.microseconds(since: lightsOff) / SleepAxis.microsecondsPerEpoch)
    return time >= lightsOff && staged.epochs.indices.contains(place) && staged.epochs[place].stage.isSleep
  }
}

extension SleepSession.Staging {
  /// The stages of the epochs of 30 s.
  package var stages: [SleepStage] {
    periods.flatMap { period in
      let count = period.end.microseconds(since: period.start) / SleepAxis.microsecondsPerEpoch
      return Array(repeating: period.stage, count: Int(max(0, count)))
    }
  }
}

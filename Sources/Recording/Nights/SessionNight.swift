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
    var beats: [Beat] = []
    try repository.forEachBeat(of: session.id, batchSize: 8192) { beats += $0 }
    let first = beats.first.map { $0.time.advanced(byMicroseconds: -Int64($0.rr.ticks) * 15_625 / 16) }
    let start = lightsOff ?? first ?? session.monotonicStart
    let end = lightsOn ?? beats.last?.time ?? start
    let epochs = end.microseconds(since: start) / (SleepAxis.epochSeconds * 1_000_000)
    guard epochs >= 1 else { throw Failure.tooShort(session: session.id) }
    guard epochs <= SleepAxis.maximumEpochCount else {
      throw Failure.tooLong(session: session.id, hours: SleepAxis.maximumEpochCount / 120)
    }
    self.lightsOff = start
    self.lightsOn = start.advanced(byMicroseconds: epochs * SleepAxis.epochSeconds * 1_000_000)
    self.beats = beats
    windows = try repository.windows(of: session.id).filter { (start...end).contains($0.end) }
    let movement = try SleepRepository(database: database).movement(of: session.id)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let clock = calendar.dateComponents([.hour, .minute, .second], from: session.wall(start).date)
    let second = (clock.hour ?? 0) * 3_600 + (clock.minute ?? 0) * 60 + (clock.second ?? 0)
    night = try SleepNight(
      epochCount: Int(epochs),
      beats: NightBeats(Self.events(beats, try repository.gaps(of: session.id)), from: start),
      movements: movement.compactMap { epoch in
        let time = SleepAxis.ticks(microseconds: epoch.time.microseconds(since: start))
        return time < 0 || epoch.time >= end ? nil : MovementSample(time: time, intensity: epoch.intensity)
      }, sleeper: Sleeper(startSecondOfDay: second))
  }

  /// Returns beats and gaps in order of time.
  private static func events(_ beats: [Beat], _ gaps: [BeatGap]) -> [BeatEvent] {
    var events: [BeatEvent] = []
    events.reserveCapacity(beats.count + gaps.count)
    var rest = gaps.sorted { $0.start < $1.start }[...]
    for beat in beats {
      while let gap = rest.first, gap.start < beat.time {
        events.append(.gap(gap))
        rest.removeFirst()
      }
      events.append(.beat(beat))
    }
    return events
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
      estimator: staged.estimator, periods: periods(staged.stages), lowestHeartRate: lowest,
      meanHeartRate: ticks > 0 ? 60 * Double(SleepAxis.ticksPerSecond) * Double(count) / Double(ticks) : nil,
      rmssd: variability.isEmpty ? nil : variability.reduce(0, +) / Double(variability.count))
  }

  private func isAsleep(at time: MonotonicTime, _ staged: StagedNight) -> Bool {
    let place = Int(time.microseconds(since: lightsOff) / (SleepAxis.epochSeconds * 1_000_000))
    return time >= lightsOff && staged.epochs.indices.contains(place) && staged.epochs[place].stage.isSleep
  }

  /// Returns the stages of epochs as periods.
  private func periods(_ stages: [SleepStage]) -> [SleepStagePeriod] {
    var periods: [SleepStagePeriod] = []
    for (place, stage) in stages.enumerated() {
      let start = lightsOff.advanced(byMicroseconds: Int64(place) * SleepAxis.epochSeconds * 1_000_000)
      let end = start.advanced(byMicroseconds: SleepAxis.epochSeconds * 1_000_000)
      if periods.last?.stage == stage {
        periods[periods.count - 1].end = end
      } else {
        periods.append(SleepStagePeriod(start: start, end: end, stage: stage))
      }
    }
    return periods
  }
}

extension SleepSession.Staging {
  /// The stages of the epochs of 30 s.
  package var stages: [SleepStage] {
    periods.flatMap { period in
      let count = period.end.microseconds(since: period.start) / (SleepAxis.epochSeconds * 1_000_000)
      return Array(repeating: period.stage, count: Int(max(0, count)))
    }
  }
}

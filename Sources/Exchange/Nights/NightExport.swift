import CommandProcess
import FoundationEssentials
import Recording
import Repository
import Sleep
import TachogramCore

/// A stored night as its export formats read it: the stages of epochs of 30 s, with heart rate and movement.
///
/// Epochs that no stored period covers are `unknown`. The whole night is in memory: at most 20 160 epochs.
package struct NightExport {
  /// A run of epochs of one stage.
  struct Period: Hashable {
    let start: WallTime
    let end: WallTime
    let stage: SleepStage
  }

  let session: SessionDescription
  /// The name of the estimator of the stages.
  let estimator: String
  /// The mean heart rate of the time asleep in beats per minute, or `nil` if it is not known.
  let meanHeartRate: Double?
  let lightsOff: WallTime
  /// The end of the last epoch.
  let lightsOn: WallTime
  let epochs: [NightEpoch]
  let metrics: SleepMetrics
  let clock: LocalClock

  /// Reads the night of a session. `timeZone` is that of local times in the export. Throws `RepositoryError`, or a failure that
  /// says what to do if the session is no night, the night lasts, or it has no stages.
  package init(_ record: SessionRecord, in database: TachogramDatabase, timeZone: TimeZone) throws {
    session = record.description
    clock = LocalClock(timeZone: timeZone)
    let id = session.id
    let name = id.prefix(8)
    let nights = SleepRepository(database: database)
    guard let night = try nights.night(of: id) else {
      throw CommandFailure("session \(id) is no night yet; `tachogram sleep stage \(name)` makes it one")
    }
    guard let end = night.lightsOn else {
      throw CommandFailure("the night of session \(id) has not ended; end it first, then export it")
    }
    guard let staging = night.staging else {
      throw CommandFailure("session \(id) has no stages yet; `tachogram sleep stage \(name)` estimates them")
    }
    let start = night.lightsOff
    let count = end.microseconds(since: start) / SleepAxis.microsecondsPerEpoch
    guard (1...Int64(SleepAxis.maximumEpochCount)).contains(count) else {
      throw CommandFailure(
        "the time in bed of session \(id) is not between 30 s and a week; `tachogram sleep stage \(name)` with --from and "
          + "--to corrects it")
    }
    estimator = staging.estimator
    meanHeartRate = staging.meanHeartRate
    lightsOff = session.wall(start)
    lightsOn = lightsOff.advanced(byMicroseconds: count * SleepAxis.microsecondsPerEpoch)
    let stages = Self.stages(staging.periods, from: start, count: Int(count))
    let rates = try Self.heartRates(of: id, from: start, count: Int(count), in: database)
    let movement = Self.movement(try nights.movement(of: id), from: start, count: Int(count))
    epochs = stages.indices.map { NightEpoch(stage: stages[$0], heartRate: rates[$0], movement: movement[$0]) }
    metrics = try SleepMetrics(stages)
  }

  // MARK: - Reading

  /// Returns the stage at the middle of each epoch.
  private static func stages(_ periods: [SleepStagePeriod], from start: MonotonicTime, count: Int) -> [SleepStage] {
    var rest = periods[...]
    return (0..<count).map { place in
      let middle = start.advanced(
        byMicroseconds: Int64(place) * SleepAxis.microsecondsPerEpoch + SleepAxis.microsecondsPerEpoch / 2)
      rest = rest.drop { $0.end <= middle }
      return rest.first.map { $0.start <= middle ? $0.stage : .unknown } ?? .unknown
    }
  }

  private static func heartRates(
    of id: String, from start: MonotonicTime, count: Int, in database: TachogramDatabase
  ) throws -> [Double?] {
    var sums = [(beats: Int, ticks: Int64)](repeating: (0, 0), count: count)
    try SessionRepository(database: database).forEachBeat(of: id, batchSize: StoredSession.batchSize) { beats in
      for beat in beats where !beat.marks.isOutOfRange {
        guard let place = place(of: beat.time, from: start, count: count) else { continue }
        sums[place].beats += 1
        sums[place].ticks += Int64(beat.rr.ticks)
      }
    }
    return sums.map { sum in
      sum.ticks > 0 ? 60 * Double(SleepAxis.ticksPerSecond) * Double(sum.beats) / Double(sum.ticks) : nil
    }
  }

  /// Returns the movement of the stored epoch whose middle is in each epoch of the night: they begin at other times.
  private static func movement(_ stored: [MovementEpoch], from start: MonotonicTime, count: Int) -> [Double?] {
    var movement = [Double?](repeating: nil, count: count)
    for epoch in stored where epoch.coverage > 0 {
      let middle = epoch.time.advanced(byMicroseconds: SleepAxis.microsecondsPerEpoch / 2)
      if let place = place(of: middle, from: start, count: count) { movement[place] = epoch.intensity }
    }
    return movement
  }

  private static func place(of time: MonotonicTime, from start: MonotonicTime, count: Int) -> Int? {
    let offset = time.microseconds(since: start)
    guard offset >= 0 else { return nil }
    let place = offset / SleepAxis.microsecondsPerEpoch
    return place < count ? Int(place) : nil
  }

  // MARK: - Times

  /// Returns the start of an epoch, or the end of the night for their number.
  func start(of place: Int) -> WallTime {
    lightsOff.advanced(byMicroseconds: Int64(place) * SleepAxis.microsecondsPerEpoch)
  }

  /// The runs of epochs of one stage, from the start to the end.
  var periods: [Period] {
    var periods: [Period] = []
    var first = 0
    for place in epochs.indices where place + 1 == epochs.count || epochs[place + 1].stage != epochs[place].stage {
      periods.append(Period(start: start(of: first), end: start(of: place + 1), stage: epochs[place].stage))
      first = place + 1
    }
    return periods
  }

  /// The first epoch of sleep to the end of the last one, or `nil` without sleep.
  var sleepPeriod: Range<Int>? {
    guard let first = epochs.firstIndex(where: \.stage.isSleep), let last = epochs.lastIndex(where: \.stage.isSleep)
    else { return nil }
    return first..<last + 1
  }

  /// Returns a UUID that is the same for the same night and role, so that exports of equal nights are equal bytes.
  func uuid(_ role: String) -> String {
    var hash = ContentHash()
    hash.add(session.id.utf8)
    hash.add("night \(role)".utf8)
    return hash.uuidText
  }
}

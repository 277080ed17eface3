import Dashboard
import Recording
import Repository
import Sleep
import TachogramCore

/// A night with its session, in the form for the page.
struct DescribedNight {
  /// The largest number of elements of a series.
  private static let mostPoints: Int64 = 200

  let night: SleepSession
  let session: SessionDescription

  var staging: SleepSession.Staging? { night.staging }
  var start: WallTime { session.wall(night.lightsOff) }

  func summary() throws -> API.Night {
    var summary = API.Night(
      session: session.id, person: session.person, origin: night.origin.rawValue, start: start,
      end: night.lightsOn.map(session.wall))
    guard let staging else { return summary }
    let metrics = try SleepMetrics(staging.stages)
    summary.estimator = staging.estimator
    summary.timeInBed = API.rounded(metrics.timeInBed)
    summary.timeAsleep = API.rounded(metrics.totalSleepTime)
    summary.sleepLatency = API.rounded(metrics.sleepOnsetLatency)
    summary.wakeAfterSleepOnset = API.rounded(metrics.wakeWithinSleepPeriod)
    summary.efficiency = API.rounded(metrics.sleepEfficiency)
    summary.awakenings = metrics.awakenings
    summary.stageMinutes = Dictionary(
      uniqueKeysWithValues: SleepStage.allCases.filter { metrics.minutes(of: $0) > 0 }.map {
        ($0.rawValue, metrics.minutes(of: $0))
      })
    summary.quality = API.rounded(SleepQualityScore.score(metrics))
    summary.lowestHeartRate = API.rounded(staging.lowestHeartRate)
    summary.meanHeartRate = API.rounded(staging.meanHeartRate)
    summary.rmssd = API.rounded(staging.rmssd)
    return summary
  }

  /// Returns the night with its series. A night that lasts is shown up to its last window or epoch of movement.
  func detail(in database: TachogramDatabase) throws -> API.NightDetail {
    let windows = try SessionRepository(database: database).windows(of: session.id).filter { $0.end >= night.lightsOff }
    let movement = try SleepRepository(database: database).movement(of: session.id).filter {
      $0.time >= night.lightsOff
    }
    let end = night.lightsOn ?? [windows.last?.end, movement.last?.time].compactMap(\.self).max() ?? night.lightsOff
    let length = max(0, end.microseconds(since: night.lightsOff))
    let epochs = (length + SleepAxis.microsecondsPerEpoch - 1) / SleepAxis.microsecondsPerEpoch
    let step = max(1, (epochs + Self.mostPoints - 1) / Self.mostPoints) * SleepAxis.microsecondsPerEpoch
    let count = Int((length + step - 1) / step)
    func series(_ values: [(time: MonotonicTime, value: Double?)]) -> [Double?] {
      var (sums, counts) = ([Double](repeating: 0, count: count), [Int](repeating: 0, count: count))
      for (time, value) in values {
        let offset = time.microseconds(since: night.lightsOff)
        let place = Int(offset / step)
        guard let value, offset >= 0, sums.indices.contains(place) else { continue }
        (sums[place], counts[place]) = (sums[place] + value, counts[place] + 1)
      }
      return zip(sums, counts).map { $1 > 0 ? API.rounded($0 / Double($1)) : nil }
    }
    var summary = try summary()
    if let staging {
      summary.restlessness = API.rounded(
        Restlessness.percentage(
          staging.stages,
          movements: movement.map { epoch in
            MovementSample(
              time: SleepAxis.ticks(microseconds: epoch.time.microseconds(since: night.lightsOff)),
              intensity: epoch.intensity)
          }, threshold: Restlessness.movementOfStraps))
    }
    var detail = API.NightDetail(
      night: summary,
      stages: (staging?.periods ?? []).map { period in
        API.NightStage(
          start: session.wall(period.start), end: session.wall(period.end), stage: period.stage.rawValue)
      }, step: Double(step) / 1e6, qualityFormula: SleepQualityScore.formula)
    detail.heartRate = series(Self.halves(windows, .minute, \.meanHeartRate))
    detail.rmssd = series(Self.halves(windows, .fiveMinutes, \.rmssd))
    detail.movement = series(movement.map { ($0.time, $0.intensity) })
    return detail
  }

  /// Returns the values of windows twice, for both epochs of the minute in their middle: there is a window for each minute.
  private static func halves(
    _ windows: [HRVWindow], _ length: WindowLength, _ value: KeyPath<HRVValues, Double?>
  ) -> [(time: MonotonicTime, value: Double?)] {
    windows.filter { $0.length == length }.flatMap { window in
      [-15, 15].map { seconds in
        let middle = window.end.advanced(by: .seconds(-length.seconds / 2))
        return (middle.advanced(by: .seconds(seconds)), window.metrics.values[keyPath: value])
      }
    }
  }
}

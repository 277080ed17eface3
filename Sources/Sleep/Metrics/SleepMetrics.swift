import TachogramCore

/// The statistics of a night, from its stages between lights off and lights on, or between strap on and strap off. Durations and
/// latencies are in minutes, shares in percent.
///
/// Definitions follow the AASM manual, as YASA's `Hypnogram.sleep_statistics` does; where the two differ, both values are here.
/// `light`, `deep`, `rem`, `nrem` and `asleep` are sleep. `unknown` is neither sleep nor wake, but time in bed.
package struct SleepMetrics: Hashable, Sendable {
  /// The epochs of a minute.
  private static let epochsPerMinute = 60 / Double(SleepAxis.epochSeconds)
  /// The epochs of persistent sleep: 5 minutes.
  private static let persistentEpochs = 10

  /// Time in bed (TIB): all epochs.
  package let timeInBed: Double
  /// Sleep period time (SPT): from the first epoch of sleep to the end of the last one; 0 without sleep.
  package let sleepPeriod: Double
  /// Total sleep time (TST).
  package let totalSleepTime: Double
  /// Sleep onset latency (SOL): the time to the first epoch of sleep; `nil` without sleep.
  package let sleepOnsetLatency: Double?
  /// The time to the first 5 minutes of sleep without another epoch in between; `nil` if there are none.
  package let persistentSleepLatency: Double?
  /// The time from sleep onset to the first epoch of REM sleep (AASM); `nil` if there is none.
  package let remLatency: Double?
  /// WASO within the sleep period: wake between the first and the last epoch of sleep (YASA); `nil` without sleep.
  package let wakeWithinSleepPeriod: Double?
  /// WASO to the end: wake from sleep onset until lights on, with that after the last epoch of sleep (AASM); `nil` without sleep.
  package let wakeAfterSleepOnset: Double?
  /// Sleep efficiency (SE): TST / TIB; `nil` without epochs.
  package let sleepEfficiency: Double?
  /// Sleep maintenance efficiency: TST / SPT; `nil` without sleep.
  package let sleepMaintenance: Double?
  /// How often the sleeper woke and fell asleep again: runs of wake within the sleep period, `unknown` left out. The last
  /// awakening does not count. `nil` without sleep.
  package let awakenings: Int?
  /// Sleep fragmentation index: changes from an epoch of sleep to one of wake, the last one as well, in an hour of TST; `nil`
  /// without sleep.
  package let fragmentationIndex: Double?
  /// The minutes of each stage, in the order of `SleepStage.allCases`.
  private let stageMinutes: [Double]

  /// Computes the metrics of all epochs, or of those of a range. Throws if the range is not within them.
  package init(_ stages: [SleepStage], in range: Range<Int>? = nil) throws(SleepInputError) {
    let range = range ?? stages.indices
    guard range.lowerBound >= 0, range.upperBound <= stages.count else {
      throw .invalidRange(lower: range.lowerBound, upper: range.upperBound, count: stages.count)
    }
    let stages = Array(stages[range])
    let onset = stages.firstIndex(where: \.isSleep)
    let last = stages.lastIndex(where: \.isSleep)
    let period = onset.flatMap { first in last.map { stages[first...$0] } } ?? []
    let asleep = Self.minutes(stages.count(where: \.isSleep))
    timeInBed = Self.minutes(stages.count)
    sleepPeriod = Self.minutes(period.count)
    totalSleepTime = asleep
    sleepOnsetLatency = onset.map(Self.minutes)
    persistentSleepLatency = Self.persistentSleep(stages).map(Self.minutes)
    remLatency = onset.flatMap { first in stages.firstIndex(of: .rem).map { Self.minutes($0 - first) } }
    wakeWithinSleepPeriod = onset.map { _ in Self.minutes(period.count { $0 == .wake }) }
    wakeAfterSleepOnset = onset.map { first in Self.minutes(stages[first...].count { $0 == .wake }) }
    sleepEfficiency = stages.isEmpty ? nil : 100 * asleep / Self.minutes(stages.count)
    sleepMaintenance = onset.map { _ in 100 * asleep / Self.minutes(period.count) }
    awakenings = onset.map { _ in
      let known = period.filter { $0 != .unknown }
      return zip(known, known.dropFirst()).count { $0.isSleep && $1 == .wake }
    }
    let wakings = zip(stages, stages.dropFirst()).count { $0.isSleep && $1 == .wake }
    fragmentationIndex = onset.map { _ in Double(wakings) / (asleep / 60) }
    stageMinutes = SleepStage.allCases.map { stage in Self.minutes(stages.count { $0 == stage }) }
  }

  /// Returns the minutes of a stage.
  package func minutes(of stage: SleepStage) -> Double {
    SleepStage.allCases.firstIndex(of: stage).map { stageMinutes[$0] } ?? 0
  }

  /// Returns the percentage of a stage of sleep in the total sleep time; `nil` without sleep, and for what is no sleep.
  package func share(of stage: SleepStage) -> Double? {
    stage.isSleep && totalSleepTime > 0 ? 100 * minutes(of: stage) / totalSleepTime : nil
  }

  private static func minutes(_ epochs: Int) -> Double { Double(epochs) / epochsPerMinute }

  /// Returns the first epoch of the first run of persistent sleep.
  private static func persistentSleep(_ stages: [SleepStage]) -> Int? {
    var length = 0
    for (place, stage) in stages.enumerated() {
      length = stage.isSleep ? length + 1 : 0
      if length == persistentEpochs { return place + 1 - length }
    }
    return nil
  }
}

import TachogramCore

/// The metrics of a night for programs: minutes, and percent for efficiency, maintenance and shares. What is not defined is left
/// out.
package struct SleepMetricsReport: Hashable, Sendable, Encodable {
  package let timeInBed: Double
  let sleepPeriod: Double
  package let totalSleepTime: Double
  let sleepOnsetLatency: Double?
  let persistentSleepLatency: Double?
  let remLatency: Double?
  let wakeWithinSleepPeriod: Double?
  let wakeAfterSleepOnset: Double?
  let sleepEfficiency: Double?
  let sleepMaintenance: Double?
  let awakenings: Int?
  let fragmentationIndex: Double?
  /// The minutes of the stages that the night has.
  let stageMinutes: [String: Double]
  /// The percentage of the total sleep time of the stages of sleep that the night has.
  let stageShares: [String: Double]

  package init(_ metrics: SleepMetrics) {
    timeInBed = metrics.timeInBed
    sleepPeriod = metrics.sleepPeriod
    totalSleepTime = metrics.totalSleepTime
    sleepOnsetLatency = metrics.sleepOnsetLatency
    persistentSleepLatency = metrics.persistentSleepLatency
    remLatency = metrics.remLatency
    wakeWithinSleepPeriod = metrics.wakeWithinSleepPeriod
    wakeAfterSleepOnset = metrics.wakeAfterSleepOnset
    sleepEfficiency = metrics.sleepEfficiency
    sleepMaintenance = metrics.sleepMaintenance
    awakenings = metrics.awakenings
    fragmentationIndex = metrics.fragmentationIndex
    let stages = SleepStage.allCases.filter { metrics.minutes(of: $0) > 0 }
    stageMinutes = Dictionary(uniqueKeysWithValues: stages.map { ($0.rawValue, metrics.minutes(of: $0)) })
    stageShares = Dictionary(
      uniqueKeysWithValues: stages.compactMap { stage in metrics.share(of: stage).map { (stage.rawValue, $0) } })
  }
}

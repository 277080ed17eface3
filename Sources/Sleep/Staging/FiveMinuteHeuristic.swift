import Statistics
import TachogramCore

/// Stages of windows of five minutes by rules on heart rate and movement, the fallback where the other estimators have no input:
/// for heart rates without intervals, and for nights with little coverage. It has no probabilities.
///
/// Heart rates are those of the sensor, or those of the intervals if there are none. Rest is the 10th percentile of the heart
/// rates of the windows. The first rule that holds decides:
///
/// | stage | rule |
/// |---|---|
/// | `unknown` | no heart rate in half of the epochs of the window, or of the epoch |
/// | `wake` | movement above 3 × the mean of the night, or a heart rate above 1.5 × rest |
/// | `deep` | the heart rate varies as little as in the calmest fifth of the windows, and is not above the 60th percentile |
/// | `rem` | an hour or more after the first sleep, heart rate at or above the 60th percentile and varying more than in the calmest 30 % |
/// | `light` | else |
///
/// A window whose two neighbours have one other stage gets that stage. The constants were chosen on 16 nights with a watch
/// (docs/sleep_stages.md).
package struct FiveMinuteHeuristic: SleepStagingProtocol {
  private static let restQuantile = 0.1
  private static let (movementFactor, wakeFactor) = (3.0, 1.5)
  private static let (deepVariation, remVariation, remHeartRate) = (0.2, 0.3, 0.6)
  /// The windows from the first sleep to the first that may be REM sleep: an hour.
  private static let windowsToREM = 12

  package init() {}

  package var name: String { "five-minute-heuristic" }
  package var isCausal: Bool { false }
  package var classes: [SleepStage] { [.wake, .light, .deep, .rem] }

  package func epochs(of night: SleepNight) -> [SleepEpoch] {
    let count = night.epochCount
    let sensor = night.heartRates.map { ($0.time, $0.beatsPerMinute) }
    let (heartRates, coverage) = sensor.isEmpty ? Self.ofIntervals(night) : Self.ofSensor(sensor, count)
    let movements = Self.byEpoch(night.movements.map { ($0.time, $0.intensity) }, count)
    let windows = FiveMinuteWindow.windows(heartRates: heartRates, movements: movements)
    let stages = StageSmoothing.smoothed(Self.stages(of: windows), minimum: 2)
    return (0..<count).map { epoch in
      let isCovered = !heartRates[epoch].isEmpty
      return SleepEpoch(
        index: epoch, stage: isCovered ? stages[epoch / FiveMinuteWindow.length] : .unknown, coverage: coverage[epoch])
    }
  }

  /// Returns the heart rates of a sensor by epoch, each of which covers its epoch.
  private static func ofSensor(
    _ samples: [(time: Int64, value: Double)], _ count: Int
  ) -> (heartRates: [[Double]], coverage: [Double]) {
    let heartRates = byEpoch(samples, count)
    return (heartRates, heartRates.map { $0.isEmpty ? 0 : 1 })
  }

  /// Returns the heart rates of intervals by epoch, with the share of the epoch that intervals cover. Those of an epoch that they
  /// cover by less than half are left out.
  private static func ofIntervals(_ night: SleepNight) -> (heartRates: [[Double]], coverage: [Double]) {
    let samples = night.beats.intervals.filter { $0.isValid && $0.ticks > 0 }.map { interval in
      (time: interval.end, value: 60 * Double(SleepAxis.ticksPerSecond) / Double(interval.ticks))
    }
    let coverage = night.beats.coveredTicks(epochCount: night.epochCount).map { ticks in
      min(1, Double(ticks) / Double(SleepAxis.ticksPerEpoch))
    }
    let heartRates = zip(byEpoch(samples, night.epochCount), coverage).map { rates, share in
      share >= CoverageRule.minimumCoverage ? rates : []
    }
    return (heartRates, coverage)
  }

  private static func byEpoch(_ samples: [(time: Int64, value: Double)], _ count: Int) -> [[Double]] {
    var epochs = [[Double]](repeating: [], count: count)
    for sample in samples {
      let epoch = Int(sample.time / SleepAxis.ticksPerEpoch)
      if epoch < count { epochs[epoch].append(sample.value) }
    }
    return epochs
  }

  private static func stages(of windows: [FiveMinuteWindow]) -> [SleepStage] {
    let heartRates = windows.compactMap(\.heartRate).sorted()
    let deviations = windows.compactMap(\.heartRateDeviation).sorted()
    let movements = windows.compactMap(\.movement)
    guard let rest = Quantile.ofSorted(heartRates, at: restQuantile),
      let high = Quantile.ofSorted(heartRates, at: remHeartRate),
      let calmest = Quantile.ofSorted(deviations, at: deepVariation),
      let calm = Quantile.ofSorted(deviations, at: remVariation)
    else { return [SleepStage](repeating: .unknown, count: windows.count) }
    let restless = movements.isEmpty ? nil : movementFactor * movements.reduce(0, +) / Double(movements.count)
    var onset: Int?
    return windows.enumerated().map { place, window in
      guard let heartRate = window.heartRate, let deviation = window.heartRateDeviation else { return .unknown }
      if let restless, let movement = window.movement, movement > restless { return .wake }
      if heartRate > wakeFactor * rest { return .wake }
      let first = onset ?? place
      onset = first
      if deviation <= calmest, heartRate <= high { return .deep }
      return place - first >= windowsToREM && deviation > calm && heartRate >= high ? .rem : .light
    }
  }
}

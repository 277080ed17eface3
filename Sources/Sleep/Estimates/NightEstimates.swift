import TachogramCore

/// The stages of a night by all estimators that have their input.
///
/// | input | primary | secondary |
/// |---|---|---|
/// | heart rate, movement | four classes from both | |
/// | heart rate | four classes from it | |
/// | RR intervals, movement | four classes from both | SleepECG: wake, NREM, REM |
/// | RR intervals | four classes from them | SleepECG: sleep, wake; wake, NREM, REM |
/// | movement | sleep and wake from it: its agreement on stages of sleep is poor | |
///
/// Movement that fewer than half of the epochs have is left out where there are heart rates. An estimator that knows fewer than
/// half of the epochs is followed by that of fewer inputs, and at last by the five-minute heuristic.
package struct NightEstimates: Hashable, Sendable {
  package let primary: NightEstimate
  package let secondary: [NightEstimate]

  /// Estimates the stages of a whole night.
  package init(_ night: SleepNight) {
    let models = Self.models(for: night, isCausal: false)
    let staged = SleepAnalysisService(estimators: models.map(Self.shown)).estimateSleepStages(of: night)
    let used = models.first { $0.name == staged.estimator }
    primary = NightEstimate(
      staged: staged, agreement: used.map(Self.agreement), attribution: used.map(\.model.attribution))
    let hasMovement = models.contains { $0.model.inputs == .heartRateAndMovement }
    let networks: [SleepECGModel] =
      night.beats.intervals.isEmpty ? [] : hasMovement ? [.wakeNREMREM] : [.sleepWake, .wakeNREMREM]
    secondary = networks.compactMap { network in
      SleepECGEstimator(network).map { estimator in
        NightEstimate(
          staged: StagedNight(night, by: estimator), agreement: nil, attribution: SleepECGModel.attribution)
      }
    }
  }

  /// Returns the estimator for a night that is not over yet, by the data that it has; `nil` without any. Of the epochs up to now, it
  /// uses none after the one that it stages.
  package static func live(for night: SleepNight) -> (any SleepStagingProtocol)? {
    models(for: night, isCausal: true).first.map(shown)
  }

  /// Returns the estimators that have their inputs, the one with most of them first.
  private static func models(for night: SleepNight, isCausal: Bool) -> [FourClassEstimator] {
    let series = NightSeries(night, isCausal: isCausal)
    let hasHeartRate = series.heartRate.map { $0.knownCount > 0 } ?? false
    let movements = series.movement?.knownCount ?? 0
    let hasMovement = Double(movements) >= CoverageRule.minimumCoverage * Double(night.epochCount) && movements > 0
    return StageModel.Inputs.allCases.compactMap { inputs in
      let isThere =
        switch inputs {
        case .heartRateAndMovement: hasHeartRate && hasMovement
        case .heartRate: hasHeartRate
        case .movement: movements > 0
        }
      return isThere ? FourClassEstimator(inputs, isCausal: isCausal) : nil
    }
  }

  private static func shown(_ estimator: FourClassEstimator) -> any SleepStagingProtocol {
    estimator.model.inputs == .movement ? SleepWakeEstimator(estimator) : estimator
  }

  private static func agreement(_ estimator: FourClassEstimator) -> StageAgreement {
    let agreement = estimator.model.agreement
    return estimator.model.inputs == .movement ? agreement.ofSleepAndWake : agreement
  }
}

import TachogramCore

/// Sleep and wake from an estimator of stages, where its stages of sleep are too uncertain to be shown.
package struct SleepWakeEstimator: SleepStagingProtocol {
  private let estimator: any SleepStagingProtocol

  package init(_ estimator: any SleepStagingProtocol) {
    self.estimator = estimator
  }

  package var name: String { estimator.name }
  package var isCausal: Bool { estimator.isCausal }
  package var classes: [SleepStage] { [.wake, .asleep] }

  package func epochs(of night: SleepNight) -> [SleepEpoch] {
    estimator.epochs(of: night).map { epoch in
      let wake = zip(estimator.classes, epoch.probabilities).reduce(0) { $1.0 == .wake ? $0 + $1.1 : $0 }
      return SleepEpoch(
        index: epoch.index, stage: epoch.stage.isSleep ? .asleep : epoch.stage,
        probabilities: epoch.probabilities.isEmpty ? [] : [wake, 1 - wake], coverage: epoch.coverage)
    }
  }
}

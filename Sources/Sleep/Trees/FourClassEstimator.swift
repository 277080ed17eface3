import TachogramCore

/// Wake, light, deep and REM sleep from heart rate and movement, by trees and a chain that were trained on 16 nights with a watch
/// (docs/sleep.md). The stage is the class with the largest product of probability and weight, so that it need not be the most
/// probable one.
package struct FourClassEstimator: SleepStagingProtocol {
  /// The epochs before and after an epoch of which half must have data; a causal estimator counts those before alone.
  private static let neighbours = 5

  package let model: StageModel

  /// Creates an estimator, or returns `nil` if the program does not contain its model.
  package init?(_ inputs: StageModel.Inputs, isCausal: Bool) {
    guard let model = StageModel(inputs, isCausal: isCausal) else { return nil }
    self.model = model
  }

  package var name: String { StageModel.name(model.inputs, isCausal: model.isCausal) }
  package var isCausal: Bool { model.isCausal }
  package var classes: [SleepStage] { StageModel.classes }

  package func epochs(of night: SleepNight) -> [SleepEpoch] {
    let series = NightSeries(night, isCausal: isCausal)
    let deciding = model.inputs.includeHeartRate ? series.heartRate : series.movement
    guard let deciding else {
      return (0..<night.epochCount).map { SleepEpoch(index: $0, stage: .unknown, coverage: 0) }
    }
    let coverage = deciding.values.map { $0.isNaN ? 0.0 : 1 }
    let windows = CoverageRule.windowCoverage(
      coverage, lookback: Self.neighbours, lookforward: isCausal ? 1 : Self.neighbours + 1)
    let features = model.features(of: series, epochCount: night.epochCount)
    let found = model.probabilities(of: features, epochCount: night.epochCount)
    return (0..<night.epochCount).map { epoch in
      let row = found[epoch]
      let probabilities = windows[epoch] >= CoverageRule.minimumCoverage ? row.indices.map { row[$0] } : []
      let stage = CoverageRule.stage(
        probabilities, of: classes, weights: model.weights, epochCoverage: coverage[epoch],
        windowCoverage: windows[epoch])
      return SleepEpoch(index: epoch, stage: stage, probabilities: probabilities, coverage: coverage[epoch])
    }
  }
}

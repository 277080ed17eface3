import TachogramCore

/// Stages from RR intervals by a network of SleepECG: sleep and wake, or wake, NREM and REM. It looks at the whole night, so
/// that it is not causal.
///
/// A start, an age and a sex that are not known count as the means of the training data. A start before noon counts from the
/// midnight before, so that 0:30 is later than 23:30.
package struct SleepECGEstimator: SleepStagingProtocol {
  private static let (noon, day) = (43_200, 86_400)

  private let network: SleepECGNetwork

  /// Creates an estimator, or returns `nil` if the program does not contain the weights.
  package init?(_ model: SleepECGModel) {
    guard let network = SleepECGNetwork(model) else { return nil }
    self.network = network
  }

  package var name: String { "sleepecg-" + network.model.rawValue }
  package var isCausal: Bool { false }
  package var classes: [SleepStage] { network.model.classes }

  package func epochs(of night: SleepNight) -> [SleepEpoch] {
    let (count, window) = (night.epochCount, network.model.window)
    let features = SleepECGFeatures(night.beats, epochCount: count, window: window)
    let outputs = network.probabilities(of: features, sleeper: inputs(of: night.sleeper))
    let coverage = night.beats.coveredTicks(epochCount: count).map { Double($0) / Double(SleepAxis.ticksPerEpoch) }
    let windows = CoverageRule.windowCoverage(coverage, lookback: window.lookback, lookforward: window.lookforward)
    return (0..<count).map { epoch in
      // Without the first output, which is no class.
      let known = outputs[epoch].dropFirst().map(Double.init)
      let sum = known.reduce(0, +)
      let hasData = windows[epoch] >= CoverageRule.minimumCoverage && sum.isFinite && sum > 0
      let probabilities = hasData ? known.map { $0 / sum } : []
      let stage = CoverageRule.stage(
        probabilities, of: classes, epochCoverage: coverage[epoch], windowCoverage: windows[epoch])
      return SleepEpoch(index: epoch, stage: stage, probabilities: probabilities, coverage: coverage[epoch])
    }
  }

  private func inputs(of sleeper: Sleeper) -> [Float] {
    let start = sleeper.startSecondOfDay.map { Float($0 < Self.noon ? $0 + Self.day : $0) }
    let gender: Float? = sleeper.sex.map { $0 == .male ? 1 : 0 }
    return [
      start ?? network.trainingMean(of: .recordingStartTime),
      sleeper.age.map(Float.init) ?? network.trainingMean(of: .age),
      gender ?? network.trainingMean(of: .gender),
    ]
  }
}

import TachogramCore

/// The stages of a night by one estimator, for programs.
struct NightEstimateReport: Hashable, Sendable, Encodable {
  struct Epoch: Hashable, Sendable, Encodable {
    /// Seconds from the start of the night.
    let start: Int64
    let stage: String
    /// The probabilities by class; without them where the estimator has none.
    let probabilities: [String: Double]?
    /// The share of the epoch that data cover, 0 … 1.
    let coverage: Double
  }

  let estimator: String
  let isCausal: Bool
  let classes: [String]
  let agreement: StageAgreement?
  let attribution: String?
  let epochs: [Epoch]
  let metrics: SleepMetricsReport
  /// 0 … 100; `nil` if too much is unknown.
  let qualityScore: Double?

  init(_ estimate: NightEstimate) throws(SleepInputError) {
    let staged = estimate.staged
    let names = staged.classes.map(\.rawValue)
    let metrics = try SleepMetrics(staged.stages)
    (estimator, isCausal, classes) = (staged.estimator, staged.isCausal, names)
    (agreement, attribution) = (estimate.agreement, estimate.attribution)
    epochs = staged.epochs.map { epoch in
      let pairs = zip(names, epoch.probabilities)
      return Epoch(
        start: Int64(epoch.index) * SleepAxis.epochSeconds, stage: epoch.stage.rawValue,
        probabilities: epoch.probabilities.isEmpty ? nil : Dictionary(uniqueKeysWithValues: pairs),
        coverage: epoch.coverage)
    }
    self.metrics = SleepMetricsReport(metrics)
    qualityScore = SleepQualityScore.score(metrics)
  }
}

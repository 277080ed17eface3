/// The stages of a night by the first of several estimators that knows enough of it.
package struct SleepAnalysisService: Sendable {
  /// The smallest share of epochs that an estimator knows for its stages to be used.
  package static let minimumKnownShare = 0.5

  private let estimators: [any SleepStagingProtocol]
  private let fallback: any SleepStagingProtocol

  /// Creates a service. `estimators` are tried in their order; `fallback` is used where none of them knows half of the epochs.
  package init(estimators: [any SleepStagingProtocol], fallback: any SleepStagingProtocol = FiveMinuteHeuristic()) {
    (self.estimators, self.fallback) = (estimators, fallback)
  }

  /// Returns the stages of a night, with the name of the estimator that they are from. Where the fallback knows no more epochs
  /// than an estimator, those of the estimator are returned.
  package func estimateSleepStages(of night: SleepNight) -> StagedNight {
    var best: StagedNight?
    for estimator in estimators {
      let staged = StagedNight(night, by: estimator)
      if staged.knownShare >= Self.minimumKnownShare { return staged }
      if staged.knownShare > best?.knownShare ?? 0 { best = staged }
    }
    let staged = StagedNight(night, by: fallback)
    guard let best, best.knownShare >= staged.knownShare else { return staged }
    return best
  }
}

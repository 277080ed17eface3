import TachogramCore

/// The stages of a night, with the estimator that they are from.
package struct StagedNight: Hashable, Sendable {
  /// The name of the estimator.
  package let estimator: String
  /// Whether the stage of an epoch depends only on data up to its end.
  package let isCausal: Bool
  /// The classes that the estimator tells apart, in the order of the probabilities.
  package let classes: [SleepStage]
  /// The epochs, from the start of the night.
  package let epochs: [SleepEpoch]

  /// Creates the stages of a night from what an estimator makes of it.
  package init(_ night: SleepNight, by estimator: any SleepStagingProtocol) {
    self.estimator = estimator.name
    isCausal = estimator.isCausal
    classes = estimator.classes
    epochs = estimator.epochs(of: night)
  }

  /// The stages alone.
  package var stages: [SleepStage] { epochs.map(\.stage) }

  /// The share of epochs whose stage is known, 0 … 1; 0 for a night without epochs.
  package var knownShare: Double {
    guard !epochs.isEmpty else { return 0 }
    return Double(epochs.count { $0.stage != .unknown }) / Double(epochs.count)
  }
}

import TachogramCore

/// The stage of 30 s of a night.
package struct SleepEpoch: Hashable, Sendable {
  /// The position in the night, counted from 0: the epoch begins 30 s × `index` after its start.
  package let index: Int
  package let stage: SleepStage
  /// The probability of each class of the estimator, in its order, with the sum 1; empty if the estimator has none, or none
  /// for this epoch.
  package let probabilities: [Double]
  /// The share of the epoch that data cover, 0 … 1.
  package let coverage: Double

  package init(index: Int, stage: SleepStage, probabilities: [Double] = [], coverage: Double) {
    self.index = index
    self.stage = stage
    self.probabilities = probabilities
    self.coverage = coverage
  }
}

import TachogramCore

/// An estimator of the stages of a night.
package protocol SleepStagingProtocol: Sendable {
  /// The name of the estimator, in results and exports.
  var name: String { get }
  /// Whether the stage of an epoch depends only on data up to its end, so that it is known at once.
  var isCausal: Bool { get }
  /// The classes that it tells apart, in the order of the probabilities.
  var classes: [SleepStage] { get }

  /// Returns the stages of all epochs of a night, in their order. Where data are missing, the stage is `unknown` or `asleep`.
  func epochs(of night: SleepNight) -> [SleepEpoch]
}

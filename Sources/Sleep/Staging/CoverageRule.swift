import TachogramCore

/// What may be said of an epoch, by how much of its data are there.
///
/// | window | epoch | stage |
/// |---|---|---|
/// | below a half | any | `unknown` |
/// | at least a half | at least a half | the most probable class |
/// | at least a half | below a half | `asleep` or `wake` if its probability is at least 0.8, else `unknown` |
///
/// The window is that of the estimator, as far as it lies within the night. Half of it is also what the spectra of the networks
/// need. In the last row, the neighbours of the epoch decide, which tell sleep from wake over minutes, and no stages.
package enum CoverageRule {
  /// The smallest share of a window, and of an epoch for a stage, that data cover.
  package static let minimumCoverage = 0.5
  /// The smallest probability of sleep or of wake where data of the epoch itself are missing.
  package static let minimumProbability = 0.8

  /// Returns the stage of an epoch from the probabilities of `classes`, which have the sum 1. With `weights`, one for each class,
  /// the class with the largest product of both counts as the most probable one.
  package static func stage(
    _ probabilities: [Double], of classes: [SleepStage], weights: [Double]? = nil, epochCoverage: Double,
    windowCoverage: Double
  ) -> SleepStage {
    guard windowCoverage >= minimumCoverage, !probabilities.isEmpty, probabilities.allSatisfy(\.isFinite) else {
      return .unknown
    }
    let pairs = zip(classes, probabilities)
    if epochCoverage >= minimumCoverage {
      let weighted = weights.map { zip(probabilities, $0).map(*) } ?? probabilities
      // The first of equal ones.
      return zip(classes, weighted).reduce((SleepStage.unknown, -1.0)) { $1.1 > $0.1 ? $1 : $0 }.0
    }
    let sleep = pairs.reduce(0) { $1.0.isSleep ? $0 + $1.1 : $0 }
    let wake = pairs.reduce(0) { $1.0 == .wake ? $0 + $1.1 : $0 }
    return sleep >= minimumProbability ? .asleep : wake >= minimumProbability ? .wake : .unknown
  }

  /// Returns the coverage of the window of each epoch, `lookback` epochs before its start to `lookforward` after it, from that
  /// of the epochs. The parts of a window outside the night do not count.
  package static func windowCoverage(_ epochs: [Double], lookback: Int, lookforward: Int) -> [Double] {
    var sums = [0.0]
    for share in epochs { sums.append((sums.last ?? 0) + share) }
    return epochs.indices.map { epoch in
      let (lower, upper) = (max(0, epoch - lookback), min(epochs.count, epoch + lookforward))
      return min(1, max(0, (sums[upper] - sums[lower]) / Double(upper - lower)))
    }
  }
}

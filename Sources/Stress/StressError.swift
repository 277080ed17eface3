/// An input from which no stress level follows. The cases carry the offending value for the caller; the wording leaves
/// it out, because it is personal and ends up in logs.
package enum StressError: Error, Hashable, Sendable {
  /// Not finite, or below 0 ms.
  case invalidHRV(Double)
  /// Not finite, or not above 0 bpm.
  case invalidHeartRate(Double)
  /// The baseline's HRV is not finite, or not above 0 ms.
  case invalidBaselineHRV(Double)
  /// The baseline's resting heart rate is not finite, or not above 0 bpm.
  case invalidRestingHeartRate(Double)
  /// Not within 0 … 1.
  case invalidCoverage(Double)
  /// Not within 0 … 1.
  case invalidArtifactShare(Double)
}

extension StressError: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  package var description: String {
    switch self {
    case .invalidHRV:
      "the HRV is not a number of ms from 0 up: check the source of the RR intervals, and compute it again"
    case .invalidHeartRate:
      "the heart rate is not a number of bpm above 0: check the fit of the strap, and take another reading"
    case .invalidBaselineHRV:
      "the baseline's HRV is not a number of ms above 0: recompute the baseline, or reset it to the default"
    case .invalidRestingHeartRate:
      "the baseline's resting heart rate is not a number of bpm above 0: recompute the baseline, or reset it to the"
        + " default"
    case .invalidCoverage:
      "the coverage is not a share from 0 to 1: recompute the window that it belongs to"
    case .invalidArtifactShare:
      "the artifact share is not a share from 0 to 1: recompute the window that it belongs to"
    }
  }
}

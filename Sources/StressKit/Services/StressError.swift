import FoundationEssentials

/// Why there is no stress level, or why it is not kept. Cases carry an offending value for the caller; the wording leaves it out,
/// because it is personal and ends up in logs.
public enum StressError: Error, Hashable, Sendable {
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
  /// There is no sensor, or it may not be used.
  case healthKitNotAvailable
  /// There is no reading, or it is no reading of a heart.
  case invalidMeasurement
  /// There are too few measurements for a baseline of the person's own.
  case baselineNotEstablished
  /// It was not synchronised; the text says why.
  case cloudKitSyncFailed(String)
  /// It was not stored; the text says why.
  case storageError(String)
}

extension StressError: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  public var description: String {
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
    case .healthKitNotAvailable:
      "no sensor can be used: pair a strap, and allow access to it"
    case .invalidMeasurement:
      "there is no reading of a heart: check the fit of the strap, and take another one"
    case .baselineNotEstablished:
      "there are too few measurements for a baseline of your own: it comes with the first days"
    case .cloudKitSyncFailed(let reason), .storageError(let reason):
      reason
    }
  }
}

extension StressError: LocalizedError {
  /// The same, for those who show errors by their localized description.
  public var errorDescription: String? { description }
}

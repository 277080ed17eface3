import FoundationEssentials

/// The reason why a stress level is not available or not stored. Cases carry the offending value for the caller; the
/// description omits it, because it is personal and would end up in logs.
public enum StressError: Error, Hashable, Sendable {
  /// The HRV is not finite, or below 0 ms.
  case invalidHRV(Double)
  /// The heart rate is not finite, or not above 0 bpm.
  case invalidHeartRate(Double)
  /// The baseline's HRV is not finite, or not above 0 ms.
  case invalidBaselineHRV(Double)
  /// The baseline's resting heart rate is not finite, or not above 0 bpm.
  case invalidRestingHeartRate(Double)
  /// The coverage is not within 0 … 1.
  case invalidCoverage(Double)
  /// The artifact share is not within 0 … 1.
  case invalidArtifactShare(Double)
  /// There is no sensor, or it may not be used.
  case healthKitNotAvailable
  /// There is no reading, or it is not plausible for a heart.
  case invalidMeasurement
  /// There are too few measurements for a personal baseline.
  case baselineNotEstablished
  /// Synchronisation failed; the text is the reason.
  case cloudKitSyncFailed(String)
  /// Storing failed; the text is the reason.
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
      "there is no heart rate: check the fit of the strap, and measure again"
    case .baselineNotEstablished:
      "there are too few measurements for a baseline of your own: it comes with the first days"
    case .cloudKitSyncFailed(let reason), .storageError(let reason):
      reason
    }
  }
}

extension StressError: LocalizedError {
  /// The description, for code that shows `localizedDescription`.
  public var errorDescription: String? { description }
}

import StressKit
import TachogramCore

/// A stress level, or why there is none.
package enum StressOutcome: Hashable, Sendable {
  /// Why there is no stress level.
  package enum Absence: Hashable, Sendable {
    /// The session has no RR intervals; stress is never made of an average heart rate alone.
    case noBeats
    /// The recording as a whole is refused the HRV metric: too many of its intervals cannot be trusted. Only a report of a
    /// whole says so.
    case recording(HRVMetric, UnavailableReason)
    /// The 5-minute window does not give the HRV metric.
    case metric(HRVMetric, UnavailableReason)
    /// The window gives values that the formula refuses.
    case refused(String)
  }

  case available(StressResult)
  case unavailable(Absence)
}

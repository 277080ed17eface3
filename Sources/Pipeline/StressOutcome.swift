import StressKit
import TachogramCore

/// A stress level, or the reason why it is unavailable.
package enum StressOutcome: Hashable, Sendable {
  /// The reason why a stress level is unavailable.
  package enum Absence: Hashable, Sendable {
    /// The session has no RR intervals; stress is never computed from an average heart rate alone.
    case noBeats
    /// The HRV metric of the whole recording is refused for its artifacts or its rhythm. Occurs only in the report of a whole
    /// recording.
    case recording(HRVMetric, UnavailableReason)
    /// The 5-minute window has no value of the HRV metric or the mean heart rate.
    case metric(HRVMetric, UnavailableReason)
    /// The values of the window are rejected by the formula.
    case refused(String)
  }

  case available(StressResult)
  case unavailable(Absence)
}

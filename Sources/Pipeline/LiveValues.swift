import TachogramCore

/// The windows and the stress level of a session at its last beat, computed from the corrected series. They are provisional:
/// the last 45 beats may still be classified as artifacts.
package struct LiveValues: Sendable {
  /// The 60, 120 and 300 s windows; empty if there are no beats.
  package let windows: [HRVWindow]
  package let stress: StressOutcome
}

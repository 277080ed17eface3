import TachogramCore

/// What a session amounts to at its last beat, of the corrected series. It is provisional: the last 45 beats may still turn
/// out to be artifacts.
package struct LiveValues: Sendable {
  /// The 60, 120 and 300 s windows; empty without beats.
  package let windows: [HRVWindow]
  package let stress: StressOutcome
}

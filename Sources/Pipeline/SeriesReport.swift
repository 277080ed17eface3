import TachogramCore

/// What a series of intervals amounts to.
package struct SeriesReport: Sendable {
  package var beats: BeatCounts
  /// HRV of the whole series, on the intervals as they came.
  package var raw: TimeDomainMetrics
  /// The 60, 120 and 300 s windows at the last beat; empty without beats.
  package var windows: [HRVWindow] = []
  package var stress: StressOutcome = .unavailable(.noBeats)
  /// What the stress level was computed against.
  package var baseline: PersonalBaseline
}

import TachogramCore

/// What a series of intervals amounts to.
package struct SeriesReport: Sendable {
  /// What artifact correction made of a series.
  package struct Correction: Hashable, Sendable {
    /// Intervals by class.
    package var counts: BeatClassCounts
    /// HRV of the corrected intervals.
    package var metrics: TimeDomainMetrics
  }

  package var beats: BeatCounts
  /// HRV of the whole series, on the intervals as they came.
  package var raw: TimeDomainMetrics
  /// HRV of the whole series with its artifacts mended.
  package var correction: Correction
  /// The 60, 120 and 300 s windows at the last beat; empty without beats.
  package var windows: [HRVWindow] = []
  package var stress: StressOutcome = .unavailable(.noBeats)
  /// What the stress level was computed against.
  package var baseline: PersonalBaseline
}

import HRV
import StressKit
import TachogramCore

/// What a series of intervals amounts to.
package struct SeriesReport: Sendable {
  /// What artifact correction made of a series.
  package struct Correction: Hashable, Sendable {
    /// Intervals by class.
    package var counts: BeatClassCounts
    /// How many of those that are too long are gaps.
    package var gaps: Int
    /// Which intervals, from 0, are of each class but normal; `nil` when they were not to be listed.
    package var positions: [BeatClass: [Int]]?
    /// HRV of the corrected intervals.
    package var metrics: HRVMetrics
    /// How far the recording can be trusted. The shares of its rhythms are those of the 5-minute segments.
    package var quality: StretchQuality
  }

  /// A window at the last beat.
  package struct Window: Hashable, Sendable {
    /// Its length, its end, and the coverage and artifact share of the corrected intervals.
    package let window: HRVWindow
    package let raw: HRVMetrics
    package let corrected: HRVMetrics
  }

  /// The complete 5-minute segments; empty when they were not to be kept.
  package struct Segments: Hashable, Sendable {
    package let raw: [SegmentSeries.Segment]
    package let corrected: [SegmentSeries.Segment]
  }

  package var beats: BeatCounts
  /// HRV of the whole series, on the intervals as they came.
  package var raw: HRVMetrics
  /// HRV of the whole series with its artifacts mended.
  package var correction: Correction
  /// The 60, 120 and 300 s windows at the last beat; empty without beats.
  package var windows: [Window] = []
  package var segments = Segments(raw: [], corrected: [])
  package var stress: StressOutcome = .unavailable(.noBeats)
  /// The intervals; `nil` when they were not to be kept.
  package var trace: SeriesTrace?
  /// What the stress level was computed against.
  package var baseline: PersonalBaseline
}

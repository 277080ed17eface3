import HRV
import StressKit
import TachogramCore

/// The report of a series of intervals.
package struct SeriesReport: Sendable {
  /// The result of artifact correction.
  package struct Correction: Hashable, Sendable {
    /// The number of intervals of each class.
    package var counts: BeatClassCounts
    /// The number of intervals that are gaps.
    package var gaps: Int
    /// The positions, from 0, of the intervals of each class except `normal`, or `nil` if they are not listed.
    package var positions: [BeatClass: [Int]]?
    /// The HRV metrics of the corrected intervals.
    package var metrics: HRVMetrics
    /// The quality of the recording. Its rhythm shares are shares of the 5-minute segments.
    package var quality: StretchQuality
  }

  /// A window at the last beat.
  package struct Window: Hashable, Sendable {
    /// Its length, its end, and the coverage and artifact share of the corrected intervals.
    package let window: HRVWindow
    package let raw: HRVMetrics
    package let corrected: HRVMetrics
  }

  /// The complete 5-minute segments; empty if they are not kept.
  package struct Segments: Hashable, Sendable {
    package let raw: [SegmentSeries.Segment]
    package let corrected: [SegmentSeries.Segment]
  }

  package var beats: BeatCounts
  /// The HRV metrics of the whole series of raw intervals.
  package var raw: HRVMetrics
  /// The HRV metrics of the whole series after artifact correction.
  package var correction: Correction
  /// The 60, 120 and 300 s windows at the last beat; empty if there are no beats.
  package var windows: [Window] = []
  package var segments = Segments(raw: [], corrected: [])
  package var stress: StressOutcome = .unavailable(.noBeats)
  /// The intervals, or `nil` if they are not kept.
  package var trace: SeriesTrace?
  /// The baseline of the stress level.
  package var baseline: PersonalBaseline
}

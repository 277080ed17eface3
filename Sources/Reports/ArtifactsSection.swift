import Pipeline
import TachogramCore

/// The section `artifacts`: the RR intervals by class.
package struct ArtifactsSection: Encodable {
  /// The positions of the intervals of each class in the series, from 0, in ascending order.
  struct Positions: Encodable {
    let ectopic: [Int]
    let missed: [Int]
    let extra: [Int]
    let longShort: [Int]

    init(_ positions: [BeatClass: [Int]]) {
      ectopic = positions[.ectopic, default: []]
      missed = positions[.missed, default: []]
      extra = positions[.extra, default: []]
      longShort = positions[.longShort, default: []]
    }
  }

  let ectopic: Int
  let missed: Int
  let extra: Int
  let longShort: Int
  /// The number of long intervals above 3 s, which are gaps.
  let gaps: Int
  /// The number of values of a text that are not intervals, and of intervals with an unusable time, if there are any.
  let impossible: Int?
  let unusableTimes: Int?
  /// The share of the intervals that are unreliable, for any of these reasons or because the rhythm is irregular, 0 … 1.
  let share: Double
  /// The positions, if requested.
  let positions: Positions?

  init(_ report: SeriesReport) {
    let correction = report.correction
    let counts = correction.counts
    ectopic = counts[.ectopic]
    missed = counts[.missed]
    extra = counts[.extra]
    longShort = counts[.longShort]
    gaps = correction.gaps
    impossible = report.beats.impossible > 0 ? report.beats.impossible : nil
    unusableTimes = report.beats.withUnusableTime > 0 ? report.beats.withUnusableTime : nil
    share = correction.quality.artifactShare
    positions = correction.positions.map(Positions.init)
  }
}

import Pipeline
import TachogramCore

/// The section `artifacts`: RR intervals by what they turned out to be.
package struct ArtifactsSection: Encodable {
  /// Which intervals of the series, from 0, are of each class, in ascending order.
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
  /// How many of the long ones are above 3 s, and so gaps.
  let gaps: Int
  /// Values of a text that are no intervals, and intervals of unusable time, where there are any.
  let impossible: Int?
  let unusableTimes: Int?
  /// Of the intervals that cannot be trusted, for any of these reasons or since the rhythm is irregular, 0 … 1.
  let share: Double
  /// Where they were asked for.
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

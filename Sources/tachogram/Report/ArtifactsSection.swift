import Pipeline
import TachogramCore

/// The section `artifacts`: RR intervals by what they turned out to be.
struct ArtifactsSection: Encodable {
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
  /// Of all intervals, 0 … 1.
  let share: Double
  /// Where they were asked for.
  let positions: Positions?

  init(_ correction: SeriesReport.Correction) {
    let counts = correction.counts
    ectopic = counts[.ectopic]
    missed = counts[.missed]
    extra = counts[.extra]
    longShort = counts[.longShort]
    share = counts.artifactShare
    positions = correction.positions.map(Positions.init)
  }
}

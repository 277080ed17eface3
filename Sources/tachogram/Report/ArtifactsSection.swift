import TachogramCore

/// The section `artifacts`: RR intervals by what they turned out to be.
struct ArtifactsSection: Encodable {
  let ectopic: Int
  let missed: Int
  let extra: Int
  let longShort: Int
  /// Of all intervals, 0 … 1.
  let share: Double

  init(_ counts: BeatClassCounts) {
    ectopic = counts[.ectopic]
    missed = counts[.missed]
    extra = counts[.extra]
    longShort = counts[.longShort]
    share = counts.artifactShare
  }
}

/// How far the intervals of a stretch (a window, a segment, a recording) can be trusted: the one verdict that reports, limits,
/// confidence and stress share. docs/metrics.md has the rule.
package struct StretchQuality: Hashable, Sendable {
  /// Intervals of the corrected series, one that was joined of two as two, and gaps that raw intervals above 3 s are.
  package var total: Int
  /// Those of them that cannot be trusted for themselves: mended, inserted, out of range, without skin contact, of unusable
  /// time, or a gap.
  package var artifacts: Int
  /// Those that cannot be trusted, for themselves or since they are of an irregular rhythm.
  package var untrusted: Int
  /// The share of the stretch whose rhythm is irregular, 0 … 1: of its intervals, in a recording of its segments.
  package var irregularShare: Double
  /// The share of the stretch whose intervals repeat themselves, 0 … 1, of the same. They can be trusted; their variability
  /// says nothing.
  package var repeatedShare: Double

  /// A stretch of a plausible rhythm.
  @inlinable
  package init(total: Int, artifacts: Int) {
    self.total = total
    self.artifacts = artifacts
    untrusted = artifacts
    irregularShare = 0
    repeatedShare = 0
  }

  /// The share of its intervals that cannot be trusted, 0 … 1; 0 where there are none.
  package var artifactShare: Double { total > 0 ? Double(untrusted) / Double(total) : 0 }

  /// Adds the intervals of another stretch; the shares of its rhythms stay.
  package mutating func add(_ other: StretchQuality) {
    total += other.total
    artifacts += other.artifacts
    untrusted += other.untrusted
  }

  /// Calls all of it of a rhythm. Of a plausible one it stays as it is.
  package mutating func set(_ rhythm: Rhythm) {
    switch rhythm {
    case .plausible: break
    case .irregular: (untrusted, irregularShare) = (total, total > 0 ? 1 : 0)
    case .repeated: repeatedShare = total > 0 ? 1 : 0
    }
  }

  /// Why a metric that bears no more than `limit` artifacts, and no more than `irregular` of either rhythm, has no value; `nil`
  /// where it has one. All are shares, 0 … 1. A rhythm is the reason where artifacts for themselves are none.
  package func refusal(above limit: Double, irregular: Double) -> UnavailableReason? {
    let share = artifactShare
    let isRhythm = irregularShare > irregular
    if isRhythm, Double(artifacts) <= limit * Double(total) { return .irregularRhythm(share: irregularShare) }
    if share > limit { return .tooManyArtifacts(share: share, limit: limit) }
    return repeatedShare > irregular ? .repeatedIntervals(share: repeatedShare) : nil
  }
}

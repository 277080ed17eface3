/// The reliability of the intervals of a stretch (a window, a segment, a recording). Reports, limits, confidence and stress all
/// use this assessment. docs/metrics.md defines the rule.
package struct StretchQuality: Hashable, Sendable {
  /// The number of intervals of the corrected series, and of gaps (raw intervals above 3 s). An interval that joins two raw
  /// ones counts as two.
  package var total: Int
  /// The number of intervals that are individually unreliable: corrected, inserted, out of range, without skin contact, with an
  /// unusable time, or a gap.
  package var artifacts: Int
  /// The number of intervals that are unreliable, either individually or because their rhythm is irregular.
  package var untrusted: Int
  /// The share of the stretch whose rhythm is irregular, 0 … 1: a share of its intervals, or of its segments in a recording.
  package var irregularShare: Double
  /// The share of the stretch whose intervals repeat themselves, 0 … 1, measured like `irregularShare`. Such intervals are
  /// reliable, but their variability is not meaningful.
  package var repeatedShare: Double

  /// Creates the quality of a stretch with a plausible rhythm.
  @inlinable
  package init(total: Int, artifacts: Int) {
    self.total = total
    self.artifacts = artifacts
    untrusted = artifacts
    irregularShare = 0
    repeatedShare = 0
  }

  /// The share of intervals that are unreliable, 0 … 1; 0 if there are no intervals.
  package var artifactShare: Double { total > 0 ? Double(untrusted) / Double(total) : 0 }

  /// Adds the interval counts of another stretch. The rhythm shares are not changed.
  package mutating func add(_ other: StretchQuality) {
    total += other.total
    artifacts += other.artifacts
    untrusted += other.untrusted
  }

  /// Sets the rhythm of the whole stretch. A plausible rhythm changes nothing.
  package mutating func set(_ rhythm: Rhythm) {
    switch rhythm {
    case .plausible: break
    case .irregular: (untrusted, irregularShare) = (total, total > 0 ? 1 : 0)
    case .repeated: repeatedShare = total > 0 ? 1 : 0
    }
  }

  /// Returns the reason why a metric is refused that tolerates up to `limit` artifacts and up to `irregular` of either rhythm,
  /// or `nil` if it is not refused. All are shares, 0 … 1. An irregular rhythm is the reason if the individual artifacts do not
  /// exceed the limit.
  package func refusal(above limit: Double, irregular: Double) -> UnavailableReason? {
    let share = artifactShare
    let isRhythm = irregularShare > irregular
    if isRhythm, Double(artifacts) <= limit * Double(total) { return .irregularRhythm(share: irregularShare) }
    if share > limit { return .tooManyArtifacts(share: share, limit: limit) }
    return repeatedShare > irregular ? .repeatedIntervals(share: repeatedShare) : nil
  }
}

import TachogramCore

/// The reason why a metric has no value.
public enum Absence: Hashable, Sendable {
  /// There are no intervals.
  case noIntervals
  /// The intervals sum to `seconds`, less than the required `minimum`.
  case tooShort(seconds: Double, minimum: Double)
  /// There are only `count` intervals, pairs or segments, fewer than the required `minimum`.
  case tooFew(count: Int, minimum: Int)
  /// There are more beats than the `limit` of the metric.
  case tooMany(count: Int, limit: Int)
  /// All intervals are equal, or no pattern repeats, or the spectrum has no distinct peak.
  case nothingToMeasure
  /// The breathing rate is above the limit that intervals can represent, in Hz.
  case beyondNyquist(frequency: Double, limit: Double)
  /// The share of artifacts among the intervals, 0 … 1, exceeds the limit.
  case tooManyArtifacts(share: Double, limit: Double)
  /// The rhythm is not a sinus rhythm in this share of the intervals, 0 … 1.
  case irregularRhythm(share: Double)
  /// The intervals repeat themselves in this share, 0 … 1, like those of a pacemaker.
  case repeatedIntervals(share: Double)

  init(_ reason: UnavailableReason) {
    self =
      switch reason {
      case .noIntervals: .noIntervals
      case .tooShort(let seconds, let minimum): .tooShort(seconds: seconds, minimum: minimum)
      case .tooFew(let count, let minimum), .tooFewSegments(let count, let minimum):
        .tooFew(count: count, minimum: minimum)
      case .tooManyBeats(let count, let limit): .tooMany(count: count, limit: limit)
      case .noVariation, .noSpread, .noMatches, .noDistinctPeak: .nothingToMeasure
      case .beyondNyquist(let frequency, let limit): .beyondNyquist(frequency: frequency, limit: limit)
      case .tooManyArtifacts(let share, let limit): .tooManyArtifacts(share: share, limit: limit)
      case .irregularRhythm(let share): .irregularRhythm(share: share)
      case .repeatedIntervals(let share): .repeatedIntervals(share: share)
      }
  }
}

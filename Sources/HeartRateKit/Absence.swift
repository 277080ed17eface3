import TachogramCore

/// Why a metric has no value.
public enum Absence: Hashable, Sendable {
  /// There is no interval.
  case noIntervals
  /// The intervals sum to so many seconds, and it needs more.
  case tooShort(seconds: Double, minimum: Double)
  /// There are so many intervals, pairs or segments, and it needs more.
  case tooFew(count: Int, minimum: Int)
  /// There are more beats than it is computed of.
  case tooMany(count: Int, limit: Int)
  /// All intervals are alike, or none resembles another one, or the spectrum has no peak: there is nothing to measure.
  case nothingToMeasure
  /// The breathing is faster than intervals show, in Hz.
  case beyondNyquist(frequency: Double, limit: Double)
  /// So large a share of the intervals, 0 … 1, cannot be trusted.
  case tooManyArtifacts(share: Double, limit: Double)
  /// In so large a share, 0 … 1, the rhythm has not the order of a sinus rhythm.
  case irregularRhythm(share: Double)
  /// In so large a share, 0 … 1, the intervals repeat themselves, as those of a pacemaker do.
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

/// The reason why a metric has no value.
package enum UnavailableReason: Hashable, Sendable {
  /// There is no RR interval at all.
  case noIntervals
  /// The intervals sum to `seconds`; the metric needs `minimum`.
  case tooShort(seconds: Double, minimum: Double)
  /// There are too few intervals (or pairs of neighbours) for a sample statistic: `count` instead of at least `minimum`.
  case tooFew(count: Int, minimum: Int)
  /// Every successive difference is zero, so that RMSSD has no logarithm.
  case noVariation
  /// Every interval is the same, so that there is nothing to compare.
  case noSpread
  /// No stretch of the series resembles another one.
  case noMatches
  /// The recording has `count` beats. Above `limit` beats the metric is computed only for its 5-minute segments.
  case tooManyBeats(count: Int, limit: Int)
  /// The spectrum has no peak that stands out.
  case noDistinctPeak
  /// The peak of the spectrum lies at `frequency`, above half the mean heart rate, `limit`, both in Hz.
  case beyondNyquist(frequency: Double, limit: Double)
  /// The recording has `count` complete segments of which intervals cover at least half; the metric needs `minimum`.
  case tooFewSegments(count: Int, minimum: Int)
  /// `share` of the recording or the window, 0 … 1, has a rhythm without the order of a sinus rhythm, as in atrial
  /// fibrillation.
  case irregularRhythm(share: Double)
  /// In `share` of the recording or the window, 0 … 1, the intervals repeat themselves, as those of a pacemaker do.
  case repeatedIntervals(share: Double)
  /// `share` of the intervals are artifacts, above the permitted `limit`; both are 0 … 1.
  case tooManyArtifacts(share: Double, limit: Double)
}

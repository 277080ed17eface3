/// Why a metric has no value.
package enum UnavailableReason: Hashable, Sendable {
  /// There is no RR interval at all.
  case noIntervals
  /// The intervals sum to `seconds`; the metric needs `minimum`.
  case tooShort(seconds: Double, minimum: Double)
  /// Too few intervals (or pairs of neighbours) for a sample statistic: there are `count`, it needs `minimum`.
  case tooFew(count: Int, minimum: Int)
  /// Every successive difference is zero, so that RMSSD has no logarithm.
  case noVariation
  /// `share` of the intervals are artifacts, and no more than `limit` may be, both 0 … 1.
  case tooManyArtifacts(share: Double, limit: Double)
}

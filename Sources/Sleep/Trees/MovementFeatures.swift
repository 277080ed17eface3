/// The features of movement.
struct MovementFeatures {
  /// Multiples of the 90th percentile: less than the floor is no movement, more than the threshold is movement, and more than
  /// the ceiling counts as much as it.
  private static let (floor, threshold, ceiling) = (0.1, 0.3, 10.0)
  /// The longest count of epochs without movement.
  private static let longestStillness = 120
  /// Smoothed movement is complete five epochs later, so that causal features see it with this delay.
  private static let delay = 5

  private let ratio: EpochSeries

  init(_ movement: EpochSeries, isCausal: Bool) {
    let movement = isCausal ? movement.shifted(by: -Self.delay) : movement
    let scale = movement.quantiles([0.9], isCausal: isCausal)[0]
    ratio = EpochSeries(zip(movement.values, scale.values).map(Self.ratio))
  }

  func addWholeNight(to features: inout EpochFeatures) {
    for width in [0, 1, 3, 8, 20] { features["mv_\(width)"] = ratio.means(width, width) }
    for (before, after) in [(5, 0), (0, 5), (12, 12)] {
      features["mv_largest_\(before)_\(after)"] = ratio.maxima(before, after)
    }
    let (since, until) = (Self.stillness(ratio), Self.stillness(ratio.reversed()).reversed())
    features["mv_since"] = since
    features["mv_until"] = until
    features["mv_still"] = EpochSeries(zip(since.values, until.values).map { min($0, $1) })
  }

  func addCausal(to features: inout EpochFeatures) {
    for width in [0, 2, 5, 12, 30] { features["mv_\(width)"] = ratio.means(width, 0) }
    for before in [5, 12] { features["mv_largest_\(before)_0"] = ratio.maxima(before, 0) }
    features["mv_since"] = Self.stillness(ratio)
    let moving = ratio.map { $0.isNaN ? .nan : $0 > Self.threshold ? 1 : 0 }
    features["mv_share_19"] = moving.means(19, 0)
  }

  /// Returns movement over its 90th percentile. Where that is zero, any movement counts as much as it.
  private static func ratio(of movement: Double, to scale: Double) -> Double {
    guard !movement.isNaN else { return .nan }
    guard scale > 0 else { return movement > 0 ? 1 : 0 }
    let ratio = movement / scale
    return ratio < floor ? 0 : min(ratio, ceiling)
  }

  /// Returns the epochs since the last movement. A missing value is none, and the night begins still.
  private static func stillness(_ ratio: EpochSeries) -> EpochSeries {
    var count = longestStillness
    return ratio.map { value in
      count = value > threshold ? 0 : min(count + 1, longestStillness)
      return Double(count)
    }
  }
}

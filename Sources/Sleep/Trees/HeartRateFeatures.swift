/// The features of heart rate.
struct HeartRateFeatures {
  /// The least spread of the heart rate of a night, in beats per minute.
  private static let leastSpread = 4.0

  private let rate: EpochSeries
  /// Quantile 0.9 less quantile 0.1, of the night or of the epochs up to each.
  private let spread: EpochSeries
  private let median: EpochSeries
  private let low: EpochSeries

  init(_ rate: EpochSeries, isCausal: Bool) {
    let quantiles = rate.quantiles([0.1, 0.5, 0.9], isCausal: isCausal)
    self.rate = rate
    (low, median) = (quantiles[0], quantiles[1])
    spread = EpochSeries(zip(quantiles[2].values, quantiles[0].values).map { Self.spread($0 - $1) })
  }

  private static func spread(_ difference: Double) -> Double {
    difference.isNaN ? .nan : max(difference, leastSpread)
  }

  func addWholeNight(to features: inout EpochFeatures) {
    let widths = [0, 1, 2, 5, 10, 30]
    let levels = Dictionary(uniqueKeysWithValues: widths.map { ($0, rate.means($0, $0)) })
    for width in [0, 2, 5, 10, 30] { features["hr_level_\(width)"] = levels[width]?.minus(median, over: spread) }
    addContrasts([(0, 2), (0, 5), (2, 10), (5, 30)], of: levels, to: &features)
    for width in [1, 2, 5, 10, 20] { features.addWithRatio("hr_deviation_\(width)", rate.deviations(width, width)) }
    let steps = rate.steps()
    for width in [1, 3, 8, 20] { features.addWithRatio("hr_step_\(width)", steps.means(width, width)) }
    for width in [2, 5, 10, 20] {
      features["hr_slope_\(width)"] = rate.means(-1, width).minus(rate.means(width, -1), over: spread)
    }
    addExtremes(after: 5, to: &features)
    let level = rate.means(2, 2)
    addEnvelope(of: level, after: 60, to: &features)
    features["hr_rank_2"] = level.ranks()
    features["hr_deviation_rank_5"] = features["hr_deviation_5"]?.ranks()
    features.addShifted(
      ["hr_deviation_5_ratio", "hr_step_3_ratio", "hr_contrast_2_10"], by: [-30, -20, -10, 10, 20, 30])
  }

  func addCausal(to features: inout EpochFeatures) {
    let widths = [0, 2, 4, 10, 20, 60]
    let levels = Dictionary(uniqueKeysWithValues: widths.map { ($0, rate.means($0, 0)) })
    for (width, level) in levels {
      features["hr_level_\(width)"] = level.minus(median, over: spread)
      features["hr_above_low_\(width)"] = level.minus(low, over: spread)
    }
    addContrasts([(0, 4), (2, 10), (4, 20), (10, 60)], of: levels, to: &features)
    for width in [2, 4, 10, 20, 40] { features.addWithRatio("hr_deviation_\(width)", rate.deviations(width, 0)) }
    let steps = rate.steps()
    for width in [1, 4, 10, 30] { features.addWithRatio("hr_step_\(width)", steps.means(width, 0)) }
    for width in [3, 6, 12] {
      features["hr_slope_\(width)"] = rate.means(width - 1, 0).minus(rate.means(2 * width - 1, -width), over: spread)
    }
    addExtremes(after: 0, to: &features)
    addEnvelope(of: rate.means(2, 0), after: 0, to: &features)
    features.addShifted(["hr_deviation_4_ratio", "hr_step_4_ratio", "hr_contrast_2_10"], by: [-40, -20, -10])
  }

  private func addContrasts(
    _ pairs: [(narrow: Int, wide: Int)], of levels: [Int: EpochSeries], to features: inout EpochFeatures
  ) {
    for pair in pairs {
      guard let narrow = levels[pair.narrow], let wide = levels[pair.wide] else { continue }
      features["hr_contrast_\(pair.narrow)_\(pair.wide)"] = narrow.minus(wide, over: spread)
    }
  }

  /// Adds the extremes from five epochs before on.
  private func addExtremes(after: Int, to features: inout EpochFeatures) {
    let mean = rate.means(5, after)
    features["hr_largest"] = rate.maxima(5, after).minus(mean, over: spread)
    features["hr_smallest"] = rate.minima(5, after).minus(mean, over: spread)
  }

  /// Adds the distances of a level to its extremes from half an hour before on.
  private func addEnvelope(of level: EpochSeries, after: Int, to features: inout EpochFeatures) {
    features["hr_above_floor"] = level.minus(level.minima(60, after), over: spread)
    features["hr_below_roof"] = level.maxima(60, after).minus(level, over: spread)
  }
}

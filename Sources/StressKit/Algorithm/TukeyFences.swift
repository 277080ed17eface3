import Statistics

/// The outlier filter: it accepts values within 1.5 interquartile ranges of the quartiles, bounds included (Tukey 1977,
/// Exploratory Data Analysis).
package enum TukeyFences {
  /// The range of the values that are not outliers; `nil` if there are no values.
  package static func range(of values: [Double]) -> ClosedRange<Double>? {
    let sorted = values.sorted()
    guard let lower = Quantile.ofSorted(sorted, at: 0.25), let upper = Quantile.ofSorted(sorted, at: 0.75) else {
      return nil
    }
    let reach = 1.5 * (upper - lower)
    return lower - reach...upper + reach
  }
}

/// Quantiles of a sample by linear interpolation between its order statistics: type 7 of Hyndman & Fan 1996 (The
/// American Statistician 50:361–365), the default of R and NumPy.
package enum Quantile {
  /// Returns the quantile at `probability`, 0 … 1, of values in ascending order, or `nil` if there are none.
  package static func ofSorted(_ values: [Double], at probability: Double) -> Double? {
    guard let last = values.indices.last else { return nil }
    let position = Double(last) * min(1, max(0, probability))
    let lower = Int(position)
    let upper = min(lower + 1, last)
    return values[lower] + (position - Double(lower)) * (values[upper] - values[lower])
  }
}

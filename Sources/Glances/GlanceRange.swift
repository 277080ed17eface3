/// The average, minimum and maximum of a series.
package struct GlanceRange: Hashable, Sendable {
  /// The arithmetic mean.
  package let average: Double
  /// The lowest value.
  package let minimum: Double
  /// The highest value.
  package let maximum: Double

  /// Computes the range of `values`; absent values are ignored. Returns `nil` if all are absent.
  init?(_ values: some Sequence<Double?>) {
    let present = values.compactMap { $0 }
    guard let minimum = present.min(), let maximum = present.max() else { return nil }
    average = present.reduce(0, +) / Double(present.count)
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// The mean and the standard deviation of a sample, computed in two passes.
package struct SampleMoments: Hashable, Sendable {
  package let mean: Double
  /// The sample standard deviation, with n − 1.
  package let deviation: Double

  /// Computes the moments of `values`, or returns `nil` if there are fewer than two.
  package init?(_ values: [Double]) {
    guard values.count > 1 else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    self.mean = mean
    deviation = (squares / Double(values.count - 1)).squareRoot()
  }
}

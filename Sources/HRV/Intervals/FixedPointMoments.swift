/// The exact sum and sum of squares of fixed-point numbers (units of 2⁻³² ms). The difference of two states is exactly the
/// contribution of the numbers added between them, so that a sliding window does not drift.
///
/// The magnitude of a term is at most 2⁵⁰, its square at most 2¹⁰⁰. The sums have room for 2²⁷ of the largest terms (centuries
/// of them) and for more than 10¹² beats of one second. Beyond that they wrap without a trap, and the difference of two states
/// stays exact.
package struct FixedPointMoments: Hashable, Sendable {
  /// The sum, in units of 2⁻³² ms.
  package private(set) var sum: Int128 = 0
  /// The sum of squares, in units of 2⁻⁶⁴ ms².
  package private(set) var sumOfSquares: Int128 = 0

  package init() {}

  @inline(__always)
  package mutating func add(_ value: Int64) {
    sum &+= Int128(value)
    sumOfSquares &+= Self.squared(value)
  }

  /// Returns the sums of the numbers that were added since `earlier`, a previous state of these sums.
  @inline(__always)
  package func since(_ earlier: FixedPointMoments) -> FixedPointMoments {
    var difference = self
    difference.sum &-= earlier.sum
    difference.sumOfSquares &-= earlier.sumOfSquares
    return difference
  }

  @inline(__always)
  private static func squared(_ value: Int64) -> Int128 {
    let product = value.multipliedFullWidth(by: value)
    return Int128(product.high) << 64 | Int128(product.low)
  }

  // MARK: - Statistics

  /// The sum in ms.
  package var total: Double { (sum < 0 ? -double(sum.magnitude) : double(sum.magnitude)) * 0x1p-32 }

  /// Returns the mean square of `count` values in ms², or `nil` if there are no values.
  package func meanSquare(count: Int) -> Double? {
    count > 0 ? double(sumOfSquares.magnitude) * 0x1p-64 / Double(count) : nil
  }

  /// Returns the sample standard deviation (divisor n − 1) of `count` values in ms, or `nil` if there are fewer than two.
  ///
  /// (n·Σx² − (Σx)²) / (n·(n − 1)): the numerator is exact, in 256 bits, because a session of many hours overflows 128;
  /// only its result is rounded. It is never negative (Cauchy–Schwarz).
  package func standardDeviation(count: Int) -> Double? {
    guard count > 1 else { return nil }
    return (numerator(count) / (Double(count) * Double(count - 1)) * 0x1p-64).squareRoot()
  }

  /// n·Σx² − (Σx)² in units of 2⁻⁶⁴ ms².
  private func numerator(_ count: Int) -> Double {
    let (sum, squares) = (sum.magnitude, sumOfSquares.magnitude)
    if sum >> 63 == 0, squares >> 96 == 0, count >> 31 == 0 {
      // For windows of usual intervals all terms fit into 128 bits.
      return double(UInt128(count) &* squares &- sum &* sum)
    }
    let left = UInt128(count).multipliedFullWidth(by: squares)
    let right = sum.multipliedFullWidth(by: sum)
    let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
    let high = left.high &- right.high &- (borrow ? 1 : 0)
    return double(high) * 0x1p128 + double(low)
  }

  /// Converts a number to within one ulp. The standard conversion is correctly rounded, but forty times slower.
  private func double(_ value: UInt128) -> Double {
    Double(UInt64(truncatingIfNeeded: value >> 64)) * 0x1p64 + Double(UInt64(truncatingIfNeeded: value))
  }
}

/// Sum and sum of squares of fixed-point numbers (units of 2⁻³² ms), exact, so that the difference of two states is
/// exactly what was added between them: a sliding window does not drift.
///
/// A term is at most 2⁵⁰ in size, its square 2¹⁰⁰: the sums hold 2²⁷ of the largest terms (centuries of them) and more
/// than 10¹² beats of one second. Beyond that they wrap, and do not trap; the difference of two states stays exact.
package struct FixedPointMoments: Hashable, Sendable {
  /// In units of 2⁻³² ms.
  package private(set) var sum: Int128 = 0
  /// In units of 2⁻⁶⁴ ms².
  package private(set) var sumOfSquares: Int128 = 0

  package init() {}

  @inline(__always)
  package mutating func add(_ value: Int64) {
    sum &+= Int128(value)
    sumOfSquares &+= Self.squared(value)
  }

  /// What was added to `earlier`, which was a state of these sums, until now.
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

  /// The mean square of `count` values in ms²; `nil` when there are none.
  package func meanSquare(count: Int) -> Double? {
    count > 0 ? double(sumOfSquares.magnitude) * 0x1p-64 / Double(count) : nil
  }

  /// The sample standard deviation (divisor n − 1) of `count` values in ms; `nil` when there are fewer than two.
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
      // Windows of usual intervals: all of it fits into 128 bits.
      return double(UInt128(count) &* squares &- sum &* sum)
    }
    let left = UInt128(count).multipliedFullWidth(by: squares)
    let right = sum.multipliedFullWidth(by: sum)
    let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
    let high = left.high &- right.high &- (borrow ? 1 : 0)
    return double(high) * 0x1p128 + double(low)
  }

  /// Within an ulp of the value; the standard conversion is correctly rounded and forty times slower.
  private func double(_ value: UInt128) -> Double {
    Double(UInt64(truncatingIfNeeded: value >> 64)) * 0x1p64 + Double(UInt64(truncatingIfNeeded: value))
  }
}

import TachogramCore

/// An RR interval in the form used by the metrics: in milliseconds, and in the fixed-point units in which intervals are summed.
public struct NNInterval: Hashable, Sendable {
  /// The longest interval, in ms: about twice the longest that the Heart Rate Service can carry, so that a correction
  /// may join two of them.
  public static let maximumMilliseconds: Double = 131_072

  /// The length in ms, 0 … 131 072.
  public let milliseconds: Double
  /// The interval in units of 2⁻³² ms, rounded to the nearest: 0 … 2⁴⁹. Ticks of 1/1024 s are exact.
  public let fixedPoint: Int64

  /// Creates an interval from its length in ms, clamped to the valid range. Negative values and NaN become 0.
  @inlinable
  @inline(__always)
  public init(milliseconds: Double) {
    // NaN is not ≥ 0.
    let clamped = milliseconds >= 0 ? min(milliseconds, Self.maximumMilliseconds) : 0
    self.milliseconds = clamped
    // Manual rounding: the oldest supported processors have no instruction for it.
    let units = clamped * 0x1p32
    let whole = Int64(units)
    self.fixedPoint = units - Double(whole) < 0.5 ? whole : whole + 1
  }

  /// Converts a length in units of 2⁻³² ms to ms.
  static func milliseconds(fixedPoint units: Int64) -> Double { Double(units) * 0x1p-32 }

  /// Creates an interval from one that a strap sent. The conversion is exact: a tick is 125/128 ms, and 125/128 · 2³² = 125 ·
  /// 2²⁵.
  @inlinable
  public init(_ rr: RRInterval) {
    self.milliseconds = rr.milliseconds
    self.fixedPoint = Int64(rr.ticks) * (125 << 25)
  }
}

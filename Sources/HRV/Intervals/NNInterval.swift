import TachogramCore

/// A corrected RR interval as the metrics take it: in milliseconds, and in the fixed point in which they are summed.
public struct NNInterval: Hashable, Sendable {
  /// The longest interval, in ms: about twice the longest that the Heart Rate Service can carry, so that a correction
  /// may join two of them.
  public static let maximumMilliseconds: Double = 131_072

  /// 0 … 131 072 ms.
  public let milliseconds: Double
  /// The interval in units of 2⁻³² ms, rounded to the nearest: 0 … 2⁴⁹. Ticks of 1/1024 s are exact.
  public let fixedPoint: Int64

  /// An interval in ms. What cannot be one becomes the nearest that can: negative and NaN 0, too long the maximum.
  @inlinable
  @inline(__always)
  public init(milliseconds: Double) {
    // NaN is not ≥ 0.
    let clamped = milliseconds >= 0 ? min(milliseconds, Self.maximumMilliseconds) : 0
    self.milliseconds = clamped
    // Rounding by hand: processors of the oldest kind that this is built for have no instruction for it.
    let units = clamped * 0x1p32
    let whole = Int64(units)
    self.fixedPoint = units - Double(whole) < 0.5 ? whole : whole + 1
  }

  /// A length in units of 2⁻³² ms, in ms.
  static func milliseconds(fixedPoint units: Int64) -> Double { Double(units) * 0x1p-32 }

  /// The interval that a strap sent, exactly: a tick is 125/128 ms, and 125/128 · 2³² = 125 · 2²⁵.
  @inlinable
  public init(_ rr: RRInterval) {
    self.milliseconds = rr.milliseconds
    self.fixedPoint = Int64(rr.ticks) * (125 << 25)
  }
}

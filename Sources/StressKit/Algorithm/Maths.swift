#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The functions of the C library that this target needs.
internal enum Maths {
  /// `base` to the power of `exponent`; `base` ≥ 0.
  internal static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  /// The arc tangent, in radians.
  internal static func arcTangent(_ value: Double) -> Double { atan(value) }
}

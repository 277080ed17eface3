#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The only function of the C library that this target uses.
internal enum Maths {
  /// The natural logarithm; `value` > 0.
  internal static func ln(_ value: Double) -> Double { log(value) }
}

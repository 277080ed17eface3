#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The functions of the C library that this target needs.
enum CircleMaths {
  /// Returns the point of a circle at an angle, in radians clockwise from the top.
  static func point(_ x: Double, _ y: Double, radius: Double, angle: Double) -> (x: Double, y: Double) {
    (x + radius * sin(angle), y - radius * cos(angle))
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The functions of the C library that this target uses.
enum SleepMaths {
  /// The common logarithm.
  static func log10(_ value: Double) -> Double {
    #if canImport(Glibc)
      Glibc.log10(value)
    #elseif canImport(Musl)
      Musl.log10(value)
    #elseif canImport(Darwin)
      Darwin.log10(value)
    #endif
  }

  /// The cosine and the sine of `part` of `whole` turns. The angle is reduced to an eighth of a turn in integers, so that the
  /// results of equal angles are equal, and exact at quarter turns.
  static func turn(_ part: Int, of whole: Int) -> (cosine: Double, sine: Double) {
    let eighths = 8 * (part % whole)
    let (octant, rest) = eighths.quotientAndRemainder(dividingBy: whole)
    let angle = Double.pi / 4 * Double(octant.isMultiple(of: 2) ? rest : whole - rest) / Double(whole)
    let (c, s) = (cos(angle), sin(angle))
    return switch octant {
    case 0: (c, s)
    case 1: (s, c)
    case 2: (-s, c)
    case 3: (-c, s)
    case 4: (-c, -s)
    case 5: (-s, -c)
    case 6: (s, -c)
    default: (c, -s)
    }
  }

  /// The logistic function; exp may overflow to infinity, whose reciprocal is 0.
  static func sigmoid(_ value: Float) -> Float { 1 / (1 + exp(-value)) }

  /// The hyperbolic tangent.
  static func hyperbolicTangent(_ value: Float) -> Float { tanh(value) }

  /// The exponential function.
  static func exponential(_ value: Double) -> Double { exp(value) }

  /// A power.
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  /// The exponential function.
  static func exponential(_ value: Float) -> Float { exp(value) }
}

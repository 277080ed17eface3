/// e to the power of a number, by plain arithmetic: C libraries choose their code by the processor, and do not agree to the
/// last bit.
enum Exponential {
  private static let halvings = 7
  private static let terms: InlineArray<7, Double> = [
    1.0 / 7, 1.0 / 6, 1.0 / 5, 1.0 / 4, 1.0 / 3, 1.0 / 2, 1,
  ]

  /// Of −5 … 5, to a relative 10⁻¹³, and of −30 to 10⁻⁷; four at a time.
  @inline(__always)
  static func of(_ exponent: SIMD4<Double>) -> SIMD4<Double> {
    // The series of a small part of it, nested from the last term that matters, and squared as often as it was halved.
    let part = exponent * (1 / Double(1 << halvings))
    var power = SIMD4(repeating: 1.0)
    for place in terms.indices { power = 1 + part * power * terms[place] }
    for _ in 0..<halvings { power *= power }
    return power
  }
}

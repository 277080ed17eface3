/// The exponential function in basic arithmetic. C libraries select their code by the processor, and their results differ in
/// the last bit.
enum Exponential {
  private static let halvings = 7
  private static let terms: InlineArray<7, Double> = [
    1.0 / 7, 1.0 / 6, 1.0 / 5, 1.0 / 4, 1.0 / 3, 1.0 / 2, 1,
  ]

  /// Returns e to the power of four numbers. The relative error is 10⁻¹³ for −5 … 5, and 10⁻⁷ at −30.
  @inline(__always)
  static func of(_ exponent: SIMD4<Double>) -> SIMD4<Double> {
    // The power series of the exponent halved several times, nested from the last significant term, then squared as many times.
    let part = exponent * (1 / Double(1 << halvings))
    var power = SIMD4(repeating: 1.0)
    for place in terms.indices { power = 1 + part * power * terms[place] }
    for _ in 0..<halvings { power *= power }
    return power
  }
}

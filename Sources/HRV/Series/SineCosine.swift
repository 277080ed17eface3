/// The sine and cosine of a part of a quarter turn in basic arithmetic. C libraries select their code by the processor, and
/// their results differ in the last bit, but the report of a capture must be identical on every machine.
enum SineCosine {
  /// Returns the cosine and sine of `part` · π/2 for four numbers 0 ≤ `part` ≤ 1, accurate to 2 units in the last place.
  static func of(_ part: SIMD4<Double>) -> (cosine: SIMD4<Double>, sine: SIMD4<Double>) {
    let isUpper = part .> 0.5
    let angle = part.replacing(with: 1 - part, where: isUpper) * (Double.pi / 2)
    let square = angle * angle
    // The power series, nested from the last significant term.
    var (cosine, sine) = (SIMD4(repeating: 1.0), SIMD4(repeating: 1.0))
    for term in stride(from: 10, to: 0, by: -1) {
      let order = 2 * Double(term)
      cosine = 1 - square / (order * (order - 1)) * cosine
      sine = 1 - square / ((order + 1) * order) * sine
    }
    sine *= angle
    return (cosine.replacing(with: sine, where: isUpper), sine.replacing(with: cosine, where: isUpper))
  }
}

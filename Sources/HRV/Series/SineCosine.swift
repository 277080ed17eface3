/// Sine and cosine of a part of a quarter turn, by plain arithmetic: C libraries choose their code by the processor, and do
/// not agree to the last bit, while a capture is to give the same report on every machine.
enum SineCosine {
  /// Of `part` · π/2, 0 ≤ `part` ≤ 1, within 2 units in the last place; four at a time.
  static func of(_ part: SIMD4<Double>) -> (cosine: SIMD4<Double>, sine: SIMD4<Double>) {
    let isUpper = part .> 0.5
    let angle = part.replacing(with: 1 - part, where: isUpper) * (Double.pi / 2)
    let square = angle * angle
    // Their series, nested from the last term that matters.
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

/// The squared magnitudes of the discrete Fourier transform of a window of real values, up to 0.4 Hz.
///
/// The length is 30 · P with P a multiple of 4. The transform is computed in two steps (Cooley and Tukey 1965, Mathematics of
/// Computation 19:297–301): P transforms of length 30 over every P-th value, of which real values need 16 frequencies; then for
/// each wanted frequency the sum of these, turned. Only a tenth of the frequencies is wanted, so that this needs fewer
/// operations than a whole fast transform.
struct WindowTransform: Sendable {
  private typealias Lanes = SIMD4<Double>
  private static let short = 30

  /// The length of the window.
  let count: Int
  /// The number of frequencies: a tenth of the length, and frequency 0.
  let frequencyCount: Int
  private let rowLength: Int
  /// e^{−2πik/30}.
  private let shortTurns: [(cosine: Double, sine: Double)]
  /// e^{−2πirk/count}, a row of r for each k.
  private let cosines: [Lanes]
  private let sines: [Lanes]

  /// Creates a transform of the windows of an estimator.
  init(_ window: SleepECGWindow) {
    count = window.length * IntervalGrid.valuesPerEpoch
    frequencyCount = count / 10 + 1
    let columns = count / Self.short
    rowLength = columns / 4
    shortTurns = (0..<Self.short).map { SleepMaths.turn($0, of: Self.short) }
    var (cosines, sines) = ([Lanes](), [Lanes]())
    for frequency in 0..<frequencyCount {
      for place in stride(from: 0, to: columns, by: 4) {
        var (cosine, sine) = (Lanes(), Lanes())
        for lane in 0..<4 {
          let turn = SleepMaths.turn((place + lane) * frequency, of: count)
          (cosine[lane], sine[lane]) = (turn.cosine, -turn.sine)
        }
        cosines.append(cosine)
        sines.append(sine)
      }
    }
    (self.cosines, self.sines) = (cosines, sines)
  }

  /// Returns |Σ xⱼ·e^{−2πijk/count}|² for k below `frequencyCount`; there are at most `count` values, and the others are zero.
  func squares(of values: [Double]) -> [Double] {
    precondition(values.count <= count)
    var rows = [Lanes](repeating: Lanes(), count: count / 4)
    for (place, value) in values.enumerated() { rows[place / 4][place % 4] = value }
    let half = Self.short / 2
    var real = [Lanes](repeating: Lanes(), count: (half + 1) * rowLength)
    var imaginary = real
    for frequency in 0...half {
      for column in 0..<rowLength {
        var (cosineSum, sineSum) = (Lanes(), Lanes())
        for row in 0..<Self.short {
          let turn = shortTurns[row * frequency % Self.short]
          let value = rows[row * rowLength + column]
          cosineSum += turn.cosine * value
          sineSum -= turn.sine * value
        }
        real[frequency * rowLength + column] = cosineSum
        imaginary[frequency * rowLength + column] = sineSum
      }
    }
    return (0..<frequencyCount).map { frequency in
      let short = frequency % Self.short
      // Above half the length, the transform of real values is the conjugate of that at the mirrored frequency.
      let sign: Double = short > half ? -1 : 1
      let start = (short > half ? Self.short - short : short) * rowLength
      var (realSum, imaginarySum) = (Lanes(), Lanes())
      for column in 0..<rowLength {
        let (cosine, sine) = (cosines[frequency * rowLength + column], sines[frequency * rowLength + column])
        let (x, y) = (real[start + column], sign * imaginary[start + column])
        realSum += cosine * x - sine * y
        imaginarySum += cosine * y + sine * x
      }
      return realSum.sum() * realSum.sum() + imaginarySum.sum() * imaginarySum.sum()
    }
  }
}

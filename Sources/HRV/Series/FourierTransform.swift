/// The discrete Fourier transform of `count` complex numbers, a power of two: the self-sorting Stockham algorithm in radix 4
/// (Van Loan 1992, Computational Frameworks for the Fast Fourier Transform, 1.7). It uses only basic arithmetic, so that
/// results are identical on every machine.
struct FourierTransform: Sendable {
  private typealias Lanes = SIMD4<Double>

  /// The minimum number of numbers.
  static let least = 64

  let count: Int
  /// e^{−2πip/count} for the first quarter of the circle.
  private let cosines: [Double]
  private let sines: [Double]

  /// Creates a transform of `count` numbers; `count` is a power of two and at least `least`.
  init(count: Int) {
    self.count = count
    let quarter = count / 4
    var (cosines, sines) = ([Double](repeating: 0, count: quarter), [Double](repeating: 0, count: quarter))
    for place in stride(from: 0, to: quarter, by: 4) {
      let steps = Lanes(Double(place), Double(place + 1), Double(place + 2), Double(place + 3))
      let turn = SineCosine.of(steps / Double(quarter))
      for lane in 0..<4 { (cosines[place + lane], sines[place + lane]) = (turn.cosine[lane], -turn.sine[lane]) }
    }
    (self.cosines, self.sines) = (cosines, sines)
  }

  /// Replaces each zₖ = `real`ₖ + i·`imaginary`ₖ with Σⱼ zⱼ·e^{−2πijk/count}.
  func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    precondition(real.count == count && imaginary.count == count)
    var otherReal = [Double](repeating: 0, count: count)
    var otherImaginary = otherReal
    firstStep(real.span, imaginary.span, &otherReal, &otherImaginary)
    swap(&real, &otherReal)
    swap(&imaginary, &otherImaginary)
    var (length, stride) = (count / 4, 4)
    while length >= 4 {
      step(length, stride, (real.span, imaginary.span), &otherReal, &otherImaginary)
      swap(&real, &otherReal)
      swap(&imaginary, &otherImaginary)
      (length, stride) = (length / 4, stride * 4)
    }
    if length == 2 {
      Self.lastStep(&real, count)
      Self.lastStep(&imaginary, count)
    }
  }

  // MARK: - Steps

  /// Four complex numbers.
  private struct Complex {
    var real: Lanes
    var imaginary: Lanes

    @inline(__always)
    init(real: Lanes, imaginary: Lanes) {
      (self.real, self.imaginary) = (real, imaginary)
    }

    /// Creates four copies of a number.
    @inline(__always)
    init(_ real: Double, _ imaginary: Double) {
      (self.real, self.imaginary) = (Lanes(repeating: real), Lanes(repeating: imaginary))
    }

    @inline(__always)
    static func + (one: Complex, other: Complex) -> Complex {
      Complex(real: one.real + other.real, imaginary: one.imaginary + other.imaginary)
    }

    @inline(__always)
    static func - (one: Complex, other: Complex) -> Complex {
      Complex(real: one.real - other.real, imaginary: one.imaginary - other.imaginary)
    }

    @inline(__always)
    static func * (one: Complex, other: Complex) -> Complex {
      Complex(
        real: one.real * other.real - one.imaginary * other.imaginary,
        imaginary: one.real * other.imaginary + one.imaginary * other.real)
    }

    /// The product with i.
    @inline(__always)
    var turned: Complex { Complex(real: -imaginary, imaginary: real) }
  }

  /// Returns the transform of four numbers; the second to fourth results are multiplied by the elements of `turn`.
  @inline(__always)
  private static func four(
    _ a: Complex, _ b: Complex, _ c: Complex, _ d: Complex, turn: (Complex, Complex, Complex)
  ) -> (Complex, Complex, Complex, Complex) {
    let (even, odd, left, right) = (a + c, b + d, a - c, (b - d).turned)
    return (even + odd, (left - right) * turn.0, (even - odd) * turn.1, (left + right) * turn.2)
  }

  /// The first step, whose numbers are adjacent: four transforms at a time, each of which results in a row.
  private func firstStep(
    _ real: Span<Double>, _ imaginary: Span<Double>, _ toReal: UnsafeMutablePointer<Double>,
    _ toImaginary: UnsafeMutablePointer<Double>
  ) {
    let (cosines, sines) = (cosines.span, sines.span)
    let quarter = count / 4
    for place in Swift.stride(from: 0, to: quarter, by: 4) {
      @inline(__always)
      func part(_ number: Int) -> Complex {
        Complex(real: real.four(at: place + number * quarter), imaginary: imaginary.four(at: place + number * quarter))
      }
      let turn = Complex(real: cosines.four(at: place), imaginary: sines.four(at: place))
      let square = turn * turn
      let (first, second, third, fourth) = Self.four(
        part(0), part(1), part(2), part(3), turn: (turn, square, square * turn))
      for lane in 0..<4 {
        let row = 4 * (place + lane)
        toReal.set(
          Lanes(first.real[lane], second.real[lane], third.real[lane], fourth.real[lane]), at: row)
        toImaginary.set(
          Lanes(first.imaginary[lane], second.imaginary[lane], third.imaginary[lane], fourth.imaginary[lane]), at: row)
      }
    }
  }

  /// A step of transforms of `length` numbers at intervals of `stride`, a multiple of 4.
  private func step(
    _ length: Int, _ stride: Int, _ from: (real: Span<Double>, imaginary: Span<Double>),
    _ toReal: UnsafeMutablePointer<Double>, _ toImaginary: UnsafeMutablePointer<Double>
  ) {
    let (cosines, sines) = (cosines.span, sines.span)
    let quarter = length / 4 * stride
    for number in 0..<(length / 4) {
      let turn = Complex(cosines[unchecked: number * stride], sines[unchecked: number * stride])
      let square = turn * turn
      let turns = (turn, square, square * turn)
      for place in Swift.stride(from: number * stride, to: (number + 1) * stride, by: 4) {
        @inline(__always)
        func part(_ number: Int) -> Complex {
          Complex(
            real: from.real.four(at: place + number * quarter),
            imaginary: from.imaginary.four(at: place + number * quarter))
        }
        let parts = Self.four(part(0), part(1), part(2), part(3), turn: turns)
        let target = place + 3 * number * stride
        toReal.set(parts.0.real, at: target)
        toImaginary.set(parts.0.imaginary, at: target)
        toReal.set(parts.1.real, at: target + stride)
        toImaginary.set(parts.1.imaginary, at: target + stride)
        toReal.set(parts.2.real, at: target + 2 * stride)
        toImaginary.set(parts.2.imaginary, at: target + 2 * stride)
        toReal.set(parts.3.real, at: target + 3 * stride)
        toImaginary.set(parts.3.imaginary, at: target + 3 * stride)
      }
    }
  }

  /// The last step of pairs, if the count is not a power of four.
  private static func lastStep(_ numbers: UnsafeMutablePointer<Double>, _ count: Int) {
    let half = count / 2
    for place in Swift.stride(from: 0, to: half, by: 4) {
      let (one, other) = (numbers.four(at: place), numbers.four(at: place + half))
      numbers.set(one + other, at: place)
      numbers.set(one - other, at: place + half)
    }
  }
}

/// The sums of a periodogram over all intervals, for each frequency of the grid: of x·cos ωt and x·sin ωt, and of cos 2ωt and
/// sin 2ωt. They come from one Fourier transform of the nonuniform kind (Greengard & Lee 2004, SIAM Review 46:443–454): each
/// interval is spread as a narrow bell curve over the points of an even grid around its time, the grid is transformed, and the
/// effect of the bell on each frequency is removed. The real parts of the grid represent x at ωt, the imaginary parts 1 at 2ωt;
/// the symmetry of the transform separates the two.
struct PhaseSums {
  typealias Lanes = SIMD4<Double>

  /// The bell is e^{−narrowness·d²} at a distance of d places.
  private static let narrowness = Double.pi / 16
  /// The number of places that the bell covers on either side of an interval; beyond them it is below 10⁻¹².
  private static let reach = 12
  /// The bell from `reach` − 1 places before an interval to `reach` places after it.
  private static let bell: InlineArray<6, Lanes> = InlineArray { group in
    let distance = Lanes(0, 1, 2, 3) + Double(4 * group - reach + 1)
    return Exponential.of(-narrowness * distance * distance)
  }
  /// From this number to twice its value, Double values have no fractions.
  private static let raise = 0x1p52

  /// The grid for five minutes, the most frequent duration.
  private static let usual = Grid(count: 2048)

  /// The transform of an even grid, and the factors that remove the effect of the bell.
  private struct Grid: Sendable {
    let transform: FourierTransform
    /// The factors for each frequency up to a quarter of the count.
    let restoring: [Double]

    init(count: Int) {
      transform = FourierTransform(count: count)
      let step = 2 * Double.pi / Double(count)
      // The transform of the bell, and a factor of ½ for the separation of the two sums.
      let scale = (PhaseSums.narrowness / Double.pi).squareRoot() / 2
      restoring = Swift.stride(from: 0, through: count / 4, by: 4).flatMap { first in
        let frequency = step * Lanes(Double(first), Double(first + 1), Double(first + 2), Double(first + 3))
        let factor = scale * Exponential.of(frequency * frequency / (4 * PhaseSums.narrowness))
        return (0..<4).map { factor[$0] }
      }
    }
  }

  private let grid: Grid
  private var real: [Double]
  private var imaginary: [Double]

  /// Computes the sums of up to `frequencies` frequencies for `count` values. Their times are parts, 0 … 1, of a quarter of the
  /// period of the first frequency. Both arrays are padded to a multiple of 4.
  init(_ values: [Double], at parts: [Double], count: Int, frequencies: Int) {
    precondition(values.count == parts.count && values.count >= count && values.count.isMultiple(of: 4))
    // Four places for each frequency. More than one of them has no sum, which leaves enough room for the bells at both ends of
    // the times.
    var places = 4 * FourierTransform.least
    while places < 4 * (frequencies + 4) { places *= 2 }
    grid = places == Self.usual.transform.count ? Self.usual : Grid(count: places)
    real = [Double](repeating: 0, count: places)
    imaginary = real
    // A shift of the times by some places, and of twice the times by twice as many, changes no power.
    let singly = Bells(values.span, at: parts.span, times: Double(places / 4), from: Self.reach)
    let doubly = Bells(nil, at: parts.span, times: Double(places / 2), from: 2 * Self.reach)
    Self.spread(singly, count, over: &real)
    Self.spread(doubly, count, over: &imaginary)
    grid.transform.transform(&real, &imaginary)
  }

  /// Returns the sums at four consecutive places. Place i has (i + 1) times the first frequency.
  @inline(__always)
  func four(at place: Int) -> (cosine: Lanes, sine: Lanes, doubledCosine: Lanes, doubledSine: Lanes) {
    let (low, high) = (place + 1, real.count - place - 4)
    let factor = grid.restoring.span.four(at: low)
    let (lowReal, lowImaginary) = (real.span.four(at: low), imaginary.span.four(at: low))
    let (highReal, highImaginary) = (
      Self.reversed(real.span.four(at: high)), Self.reversed(imaginary.span.four(at: high))
    )
    return (
      (lowReal + highReal) * factor, (highImaginary - lowImaginary) * factor,
      (lowImaginary + highImaginary) * factor, (lowReal - highReal) * factor
    )
  }

  @inline(__always)
  private static func reversed(_ numbers: Lanes) -> Lanes { Lanes(numbers[3], numbers[2], numbers[1], numbers[0]) }

  // MARK: - Spreading

  /// The bells of some intervals: for each, its first place, its height there without the factor `bell`, and the growth factor
  /// of that height from place to place.
  private struct Bells {
    let places: [Double]
    let heights: [Double]
    let growths: [Double]

    /// Creates bells around `origin` + part · `scale`, four at a time. `values` are their heights in the middle; the default is
    /// 1.
    init(_ values: Span<Double>?, at parts: Span<Double>, times scale: Double, from origin: Int) {
      var places = [Double](repeating: 0, count: parts.count)
      var (heights, growths) = (places, places)
      Self.fill(&places, &heights, &growths, with: values, at: parts, times: scale, from: origin)
      (self.places, self.heights, self.growths) = (places, heights, growths)
    }

    private static func fill(
      _ places: UnsafeMutablePointer<Double>, _ heights: UnsafeMutablePointer<Double>,
      _ growths: UnsafeMutablePointer<Double>, with values: Span<Double>?, at parts: Span<Double>, times scale: Double,
      from origin: Int
    ) {
      let before = Double(reach - 1)
      for start in stride(from: 0, to: parts.count, by: 4) {
        let position = parts.four(at: start) * scale + Double(origin)
        // The whole number below `position`, within rounding: adding `raise` rounds `position` − 0.5 to a whole number.
        let whole = position - 0.5 + raise - raise
        let rest = position - whole
        // (rest − q)² = rest² − 2·rest·q + q², and q² is the bell of a whole place.
        var height = Exponential.of(-narrowness * rest * (rest + 2 * before))
        if let values { height *= values.four(at: start) }
        places.set(whole - before, at: start)
        heights.set(height, at: start)
        growths.set(Exponential.of(2 * narrowness * rest), at: start)
      }
    }
  }

  /// Adds the first `count` bells to a grid.
  private static func spread(_ bells: Bells, _ count: Int, over grid: UnsafeMutablePointer<Double>) {
    for number in 0..<count {
      spread(bells.heights[number], growing: bells.growths[number], from: Int(bells.places[number]), over: grid)
    }
  }

  @inline(__always)
  private static func spread(
    _ height: Double, growing growth: Double, from first: Int, over grid: UnsafeMutablePointer<Double>
  ) {
    let square = growth * growth
    var heights = Lanes(1, growth, square, square * growth) * height
    let next = Lanes(repeating: square * square)
    for group in bell.indices {
      let place = first &+ 4 &* group
      grid.set(grid.four(at: place) + heights * bell[group], at: place)
      heights *= next
    }
  }
}

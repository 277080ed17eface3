/// A pointer for each interval that turns by the interval's phase from one frequency of the grid to the next: what sines
/// and cosines of all of them are needed, without computing one. After 10 000 turns a pointer is off by some 10⁻¹².
struct Phasors {
  private typealias Lanes = SIMD4<Double>

  private let count: Double
  private var cosines: [Lanes]
  private var sines: [Lanes]
  private let turnCosines: [Lanes]
  private let turnSines: [Lanes]
  /// The intervals less their mean.
  private let values: [Lanes]

  /// Pointers for intervals in ms, the last of which advances by a quarter turn, and the others by less as they stand
  /// before it. Lanes that no interval fills have pointers without a length.
  init(_ intervals: ArraySlice<Double>, mean: Double) {
    let empty = [Lanes](repeating: Lanes(), count: (intervals.count + 3) / 4)
    var (ones, turnCosines, turnSines, values) = (empty, empty, empty, empty)
    let total = intervals.reduce(0, +)
    var time = 0.0
    for (place, interval) in intervals.enumerated() {
      time += interval
      let turn = QuarterTurn.of(min(1, time / total))
      ones[place / 4][place % 4] = 1
      turnCosines[place / 4][place % 4] = turn.cosine
      turnSines[place / 4][place % 4] = turn.sine
      values[place / 4][place % 4] = interval - mean
    }
    count = Double(intervals.count)
    cosines = ones
    sines = empty
    self.turnCosines = turnCosines
    self.turnSines = turnSines
    self.values = values
  }

  /// Turns to the next frequency and gives the un-normalised periodogram there.
  ///
  /// With τ the phase that makes the sums of the doubled angle vanish, P = ½·((Σ x·cos)²/Σ cos² + (Σ x·sin)²/Σ sin²);
  /// Σ cos² and Σ sin² are (N ± |Σ e^{2iωt}|)/2 then, and the sums with x turn by half the angle of Σ e^{2iωt}.
  mutating func nextPower() -> Double {
    let sums = Self.turn(&cosines, &sines, by: turnCosines, turnSines, values)
    let (alongX, acrossX) = (sums.cosine.sum(), sums.sine.sum())
    let (doubledCosine, doubledSine) = (sums.doubledCosine.sum(), sums.doubledSine.sum())
    let length = (doubledCosine * doubledCosine + doubledSine * doubledSine).squareRoot()
    let (cosine, sine) = Self.half(doubledCosine, doubledSine, length)
    let along = alongX * cosine + acrossX * sine
    let across = acrossX * cosine - alongX * sine
    let (cosineSquares, sineSquares) = ((count + length) / 2, (count - length) / 2)
    return (along * along / cosineSquares + (sineSquares > 0 ? across * across / sineSquares : 0)) / 2
  }

  /// Cosine and sine of half the angle of a pointer of some length, the cosine not negative.
  private static func half(_ cosine: Double, _ sine: Double, _ length: Double) -> (cosine: Double, sine: Double) {
    guard length > 0 else { return (1, 0) }
    // The larger of the two by a root, the other by their product, which loses nothing.
    if cosine >= 0 {
      let large = ((length + cosine) / (2 * length)).squareRoot()
      return (large, sine / (2 * length * large))
    }
    let large = ((length - cosine) / (2 * length)).squareRoot()
    return (abs(sine) / (2 * length * large), sine < 0 ? -large : large)
  }

  private struct Sums {
    var cosine = Lanes()
    var sine = Lanes()
    var doubledCosine = Lanes()
    var doubledSine = Lanes()
  }

  /// Turns all pointers, and sums x·cos, x·sin, and cosine and sine of the doubled angle.
  private static func turn(
    _ cosines: inout [Lanes], _ sines: inout [Lanes], by turnCosines: [Lanes], _ turnSines: [Lanes], _ values: [Lanes]
  ) -> Sums {
    var sums = Sums()
    var cosines = cosines.mutableSpan
    var sines = sines.mutableSpan
    let (turnCosines, turnSines, values) = (turnCosines.span, turnSines.span, values.span)
    for place in 0..<values.count {
      let (c, s) = (cosines[unchecked: place], sines[unchecked: place])
      let (turnC, turnS) = (turnCosines[unchecked: place], turnSines[unchecked: place])
      let cosine = c * turnC - s * turnS
      let sine = s * turnC + c * turnS
      cosines[unchecked: place] = cosine
      sines[unchecked: place] = sine
      sums.cosine += values[unchecked: place] * cosine
      sums.sine += values[unchecked: place] * sine
      sums.doubledCosine += cosine * cosine - sine * sine
      sums.doubledSine += 2 * sine * cosine
    }
    return sums
  }
}

/// The power spectrum of unevenly spaced intervals: the classic Lomb–Scargle periodogram (Lomb 1976, Astrophys Space Sci
/// 39:447–462; Scargle 1982, Astrophys J 263:835–853), without resampling.
///
/// NNᵢ, less their mean, stand at tᵢ = Σⱼ≤ᵢ NNⱼ. With T = Σ NN and N intervals, the one-sided density is 2·(T/N)·P at
/// fₖ = k/(4T), k ≥ 1, below 0.4 Hz, so that a sinusoid of amplitude A has the power A²/2.
package struct Spectrum: Hashable, Sendable {
  /// The bands, in Hz (Task Force 1996).
  package enum Band: Int, Sendable, CaseIterable {
    case vlf, lf, hf

    /// From the lower bound on, below the upper one.
    package var range: Range<Double> {
      switch self {
      case .vlf: 0.0033..<0.04
      case .lf: 0.04..<0.15
      case .hf: 0.15..<0.4
      }
    }
  }

  /// In ms²/Hz, at the frequencies of the grid.
  package let density: [Double]
  /// The frequencies in one Hz, 4T with T in s.
  private let steps: Double
  /// Mean of the intervals, in s.
  package let meanInterval: Double
  /// The powers of the bands, in ms².
  private var powers: [Double] = []

  /// The spectrum of intervals in ms with no gap between them; `nil` when there are fewer than two.
  package init?(_ intervals: ArraySlice<Double>) {
    let total = intervals.reduce(0, +) / 1000
    guard intervals.count > 1, total > 0 else { return nil }
    let mean = intervals.reduce(0, +) / Double(intervals.count)
    let steps = 4 * total
    var count = max(0, Int((Band.hf.range.upperBound * steps).rounded(.up)) + 1)
    while count > 0, Double(count) / steps >= Band.hf.range.upperBound { count -= 1 }
    var time = 0.0
    let parts = intervals.map { interval -> Double in
      time += interval
      return min(1, time / (1000 * total))
    }
    let sums = PhaseSums(intervals.map { $0 - mean }, at: parts, count: count)
    let scale = 2 * total / Double(intervals.count)
    density = (0..<count).map { scale * Self.power(sums, at: $0, of: intervals.count) }
    self.steps = steps
    meanInterval = mean / 1000
    powers = Band.allCases.map { power(in: $0.range) }
  }

  /// The un-normalised periodogram. With τ the phase that makes the sum of sin 2ω(t − τ) vanish, it is ½·((Σ x·cos)²/Σ cos²
  /// + (Σ x·sin)²/Σ sin²) of ω(t − τ); Σ cos² and Σ sin² are (N ± |Σ e^{2iωt}|)/2 then, and the sums with x turn by half
  /// the angle of Σ e^{2iωt}.
  private static func power(_ sums: PhaseSums, at place: Int, of count: Int) -> Double {
    let sums = sums[place]
    let length = (sums.doubledCosine * sums.doubledCosine + sums.doubledSine * sums.doubledSine).squareRoot()
    let (cosine, sine) = half(sums.doubledCosine, sums.doubledSine, length)
    let along = sums.cosine * cosine + sums.sine * sine
    let across = sums.sine * cosine - sums.cosine * sine
    let (cosineSquares, sineSquares) = ((Double(count) + length) / 2, (Double(count) - length) / 2)
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

  /// The frequency at a place, in Hz.
  package func frequency(_ place: Int) -> Double { Double(place + 1) / steps }

  /// The power in a range of frequencies, in ms²: from its lower bound on, below its upper one.
  package func power(in range: Range<Double>) -> Double {
    var sum = 0.0
    for place in density.indices where range.contains(frequency(place)) { sum += density[place] }
    return sum / steps
  }

  /// The power in a band, in ms².
  package func power(_ band: Band) -> Double { powers[band.rawValue] }
}

/// The power spectrum of unevenly spaced intervals: the classic Lomb–Scargle periodogram (Lomb 1976, Astrophys Space Sci
/// 39:447–462; Scargle 1982, Astrophys J 263:835–853), without resampling.
///
/// The values are NNᵢ minus their mean, at the times tᵢ = Σⱼ≤ᵢ NNⱼ. With T = Σ NN and N intervals, the one-sided density is
/// 2·(T/N)·P at fₖ = k/(4T), k ≥ 1, below 0.4 Hz, so that a sinusoid of amplitude A has the power A²/2.
package struct Spectrum: Hashable, Sendable {
  /// The bands, in Hz (Task Force 1996).
  package enum Band: Int, Sendable, CaseIterable {
    case vlf, lf, hf

    /// The frequencies of the band in Hz: the lower bound is included, the upper one is not.
    package var range: Range<Double> {
      switch self {
      case .vlf: 0.0033..<0.04
      case .lf: 0.04..<0.15
      case .hf: 0.15..<0.4
      }
    }
  }

  /// The share of N² at or below which N² − |w|² is only rounding error.
  private static let leastSpread = 1e-10

  /// The power density in ms²/Hz, at the frequencies of the grid.
  package let density: [Double]
  /// The number of frequencies in one Hz: 4T, with T in s.
  private let steps: Double
  /// The mean of the intervals, in s.
  package let meanInterval: Double
  /// The powers of the bands, in ms².
  private var powers: [Double] = []

  /// Creates the spectrum of intervals in ms with no gaps between them. Returns `nil` if there are fewer than two.
  package init?(_ intervals: ArraySlice<Double>) {
    let sum = intervals.reduce(0, +)
    let (total, mean) = (sum / 1000, sum / Double(intervals.count))
    guard intervals.count > 1, total > 0 else { return nil }
    let steps = 4 * total
    var count = max(0, Int((Band.hf.range.upperBound * steps).rounded(.up)) + 1)
    while count > 0, Double(count) / steps >= Band.hf.range.upperBound { count -= 1 }
    var (time, deviations, parts) = (0.0, [Double](), [Double]())
    for number in 0..<(intervals.count + 3) / 4 * 4 {
      let interval = number < intervals.count ? intervals[intervals.startIndex + number] : mean
      time += interval
      deviations.append(interval - mean)
      parts.append(min(1, time / (1000 * total)))
    }
    let largest = deviations.reduce(0) { max($0, abs($1)) }
    if largest > 0 {
      // Scaled to the magnitude of the ones that are summed in the same transform, so that neither loses precision to rounding.
      let sums = PhaseSums(
        deviations.map { $0 / largest }, at: parts, count: intervals.count, frequencies: count)
      let scale = 2 * total / Double(intervals.count) * largest * largest
      density = Self.periodogram(sums, count, of: intervals.count, times: scale)
    } else {
      density = [Double](repeating: 0, count: count)
    }
    self.steps = steps
    meanInterval = mean / 1000
    powers = Band.allCases.map { power(in: $0.range) }
  }

  /// Returns the periodogram of `number` intervals at `count` frequencies, multiplied by `scale`.
  ///
  /// With τ the phase that makes the sum of sin 2ω(t − τ) vanish, the un-normalised periodogram is ½·((Σ x·cos)²/Σ cos² +
  /// (Σ x·sin)²/Σ sin²) of ω(t − τ). With z = Σ x·e^{iωt} and w = Σ e^{2iωt}, Σ cos² and Σ sin² are (N ± |w|)/2 there, and
  /// the sums with x are z turned back by half the angle of w; together that is (N·|z|² − Re(z²·w̄)) / (N² − |w|²).
  private static func periodogram(
    _ sums: PhaseSums, _ count: Int, of number: Int, times scale: Double
  ) -> [Double] {
    let beats = SIMD4(repeating: Double(number))
    return [Double](unsafeUninitializedCapacity: (count + 3) / 4 * 4) { density, filled in
      for place in stride(from: 0, to: count, by: 4) {
        let power = scale * four(sums, at: place, of: beats)
        for lane in 0..<4 { density[place + lane] = power[lane] }
      }
      filled = count
    }
  }

  /// Returns the un-normalised periodogram at four places from `place`. Each lane of `beats` is the number of intervals.
  @inline(__always)
  private static func four(_ sums: PhaseSums, at place: Int, of beats: SIMD4<Double>) -> SIMD4<Double> {
    let (c, s, doubledC, doubledS) = sums.four(at: place)
    let square = c * c + s * s
    // Re(z²·w̄), in steps that the compiler can type-check.
    let (squareReal, squareImaginary) = (c * c - s * s, 2 * c * s)
    let common = squareReal * doubledC + squareImaginary * doubledS
    let spread = beats * beats - (doubledC * doubledC + doubledS * doubledS)
    var power = (beats * square - common) / spread
    // All angles are equal, as for equal intervals at half their frequency: one sum vanishes, and z has the direction of the
    // other.
    power.replace(with: square / (2 * beats), where: spread .<= leastSpread * beats * beats)
    return pointwiseMax(power, SIMD4(repeating: 0))
  }

  /// Returns the frequency at a place, in Hz.
  package func frequency(_ place: Int) -> Double { Double(place + 1) / steps }

  /// Returns the places whose frequencies are in a range; its upper bound is excluded.
  package func places(in range: Range<Double>) -> Range<Int> {
    let first = place(notBelow: range.lowerBound)
    return first..<max(first, place(notBelow: range.upperBound))
  }

  /// Returns the first place whose frequency is not below `bound`.
  private func place(notBelow bound: Double) -> Int {
    var place = min(density.count, max(0, Int((bound * steps).rounded(.down)) - 2))
    while place < density.count, frequency(place) < bound { place += 1 }
    return place
  }

  /// Returns the power in a range of frequencies, in ms²; its upper bound is excluded.
  package func power(in range: Range<Double>) -> Double {
    density[places(in: range)].reduce(0, +) / steps
  }

  /// Returns the power in a band, in ms².
  package func power(_ band: Band) -> Double { powers[band.rawValue] }
}

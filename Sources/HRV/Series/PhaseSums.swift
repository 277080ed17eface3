/// The sums of a periodogram over all intervals, for each frequency of the grid: of x·cos ωt and x·sin ωt, and of cos 2ωt
/// and sin 2ωt.
///
/// No sine is computed a frequency. With θ the phase that the first frequency gives an interval, e^{i(m±b)θ} =
/// e^{imθ}·e^{±ibθ}: of a table of e^{ibθ}, and e^{imθ} for a frequency in seventeen, each product gives a part of two
/// frequencies.
struct PhaseSums {
  private typealias Lanes = SIMD4<Double>

  /// Frequencies on either side of one for which e^{imθ} is kept.
  private static let reach = 8
  private static let stride = 2 * reach + 1
  /// Lanes that are worked on together: their table fits the first cache.
  private static let block = 32

  /// At place i for (i + 1) times the first frequency, in four parts.
  private var cosine: [Lanes]
  private var sine: [Lanes]
  private var doubledCosine: [Lanes]
  private var doubledSine: [Lanes]

  /// The sums at place i, for (i + 1) times the first frequency.
  subscript(place: Int) -> (cosine: Double, sine: Double, doubledCosine: Double, doubledSine: Double) {
    (
      Self.whole(cosine[place]), Self.whole(sine[place]), Self.whole(doubledCosine[place]),
      Self.whole(doubledSine[place])
    )
  }

  private static func whole(_ parts: Lanes) -> Double { parts[0] + parts[1] + (parts[2] + parts[3]) }

  /// The sums of `count` frequencies, for values in ms whose times are parts, 0 … 1, of the time in which the first
  /// frequency turns by a quarter.
  init(_ values: [Double], at parts: [Double], count: Int) {
    let places = (count + Self.stride - 1) / Self.stride * Self.stride
    cosine = [Lanes](repeating: Lanes(), count: places)
    sine = [Lanes](repeating: Lanes(), count: places)
    doubledCosine = [Lanes](repeating: Lanes(), count: places)
    doubledSine = [Lanes](repeating: Lanes(), count: places)
    for start in Swift.stride(from: 0, to: values.count, by: 4 * Self.block) {
      let end = min(values.count, start + 4 * Self.block)
      add(Table(values[start..<end], at: parts[start..<end]))
    }
  }

  // MARK: - A block of intervals

  /// Powers of e^{iθ} for the lanes of a block, and their values. Lanes that no interval fills have neither.
  private struct Table {
    let width: Int
    var values: [Lanes]
    /// cos bθ and sin bθ for b = 0 … stride, one row behind the other.
    var cosines: [Lanes]
    var sines: [Lanes]

    init(_ values: ArraySlice<Double>, at parts: ArraySlice<Double>) {
      width = (values.count + 3) / 4
      self.values = Self.lanes(values, width)
      cosines = [Lanes](repeating: Lanes(), count: (PhaseSums.stride + 1) * width)
      sines = [Lanes](repeating: Lanes(), count: (PhaseSums.stride + 1) * width)
      let ones = Self.lanes(Array(repeating: 1.0, count: values.count)[...], width)
      for (lane, (one, part)) in zip(ones, Self.lanes(parts, width)).enumerated() {
        let turn = QuarterTurn.of(part)
        cosines[lane] = one
        cosines[width + lane] = turn.cosine * one
        sines[width + lane] = turn.sine
      }
      for row in 2...PhaseSums.stride { Self.multiply(row, width, &cosines, &sines) }
    }

    /// Numbers four by four; at the end zeros.
    private static func lanes(_ numbers: ArraySlice<Double>, _ width: Int) -> [Lanes] {
      var lanes = [Lanes](repeating: Lanes(), count: width)
      numbers.withUnsafeBytes { bytes in lanes.withUnsafeMutableBytes { $0.copyBytes(from: bytes) } }
      return lanes
    }

    /// Fills a row from two of half its power: few steps, so that rounding stays small.
    private static func multiply(_ row: Int, _ width: Int, _ cosines: inout [Lanes], _ sines: inout [Lanes]) {
      var cosines = cosines.mutableSpan
      var sines = sines.mutableSpan
      for lane in 0..<width {
        let (one, other) = (row / 2 * width + lane, (row - row / 2) * width + lane)
        let (c1, s1) = (cosines[unchecked: one], sines[unchecked: one])
        let (c2, s2) = (cosines[unchecked: other], sines[unchecked: other])
        cosines[unchecked: row * width + lane] = c1 * c2 - s1 * s2
        sines[unchecked: row * width + lane] = s1 * c2 + c1 * s2
      }
    }
  }

  /// e^{imθ} of a middle frequency, and what follows from it: the sums are of these.
  private struct Middle {
    var cosine: [Lanes]
    var sine: [Lanes]
    var alongX: [Lanes]
    var acrossX: [Lanes]
    var doubledCosine: [Lanes]
    var doubledSine: [Lanes]

    /// That of the power `reach` + 1.
    init(_ table: Table) {
      let first = (PhaseSums.reach + 1) * table.width
      cosine = Array(table.cosines[first..<(first + table.width)])
      sine = Array(table.sines[first..<(first + table.width)])
      (alongX, acrossX, doubledCosine, doubledSine) = (cosine, sine, cosine, sine)
    }

    /// Lets the products be those of this frequency, and goes on to the next middle one.
    mutating func step(_ table: Table) {
      let full = PhaseSums.stride * table.width
      for lane in 0..<table.width {
        let (c, s, x) = (cosine[lane], sine[lane], table.values[lane])
        let (turnC, turnS) = (table.cosines[full + lane], table.sines[full + lane])
        alongX[lane] = c * x
        acrossX[lane] = s * x
        doubledCosine[lane] = c * c - s * s
        doubledSine[lane] = 2 * s * c
        cosine[lane] = c * turnC - s * turnS
        sine[lane] = s * turnC + c * turnS
      }
    }
  }

  private mutating func add(_ table: Table) {
    var middle = Middle(table)
    for center in Swift.stride(from: Self.reach, to: cosine.count, by: Self.stride) {
      middle.step(table)
      Self.spread(middle.alongX, middle.acrossX, table, rowsOf: 1, to: &cosine, &sine, about: center)
      Self.spread(
        middle.doubledCosine, middle.doubledSine, table, rowsOf: 2, to: &doubledCosine, &doubledSine, about: center)
    }
  }

  /// Adds the sums of z·e^{±ibθ}, z = `real` + i·`imaginary`, to the frequencies about one; `rowsOf` 2 takes e^{±2ibθ}.
  private static func spread(
    _ real: [Lanes], _ imaginary: [Lanes], _ table: Table, rowsOf factor: Int, to cosine: inout [Lanes],
    _ sine: inout [Lanes], about center: Int
  ) {
    let (real, imaginary) = (real.span, imaginary.span)
    var (atCosine, atSine) = (cosine[center], sine[center])
    for lane in 0..<table.width {
      atCosine += real[unchecked: lane]
      atSine += imaginary[unchecked: lane]
    }
    (cosine[center], sine[center]) = (atCosine, atSine)
    for b in 1...reach {
      let row = factor * b * table.width..<(factor * b + 1) * table.width
      let (cosines, sines) = (table.cosines.span.extracting(row), table.sines.span.extracting(row))
      var (realCosine, realSine, imaginaryCosine, imaginarySine) = (Lanes(), Lanes(), Lanes(), Lanes())
      for lane in 0..<table.width {
        let (x, y) = (real[unchecked: lane], imaginary[unchecked: lane])
        let (c, s) = (cosines[unchecked: lane], sines[unchecked: lane])
        realCosine += x * c
        realSine += x * s
        imaginaryCosine += y * c
        imaginarySine += y * s
      }
      cosine[center + b] += realCosine - imaginarySine
      sine[center + b] += imaginaryCosine + realSine
      cosine[center - b] += realCosine + imaginarySine
      sine[center - b] += imaginaryCosine - realSine
    }
  }
}

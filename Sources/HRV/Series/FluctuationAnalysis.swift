import TachogramCore

/// Detrended fluctuation analysis at short scales (Peng et al. 1995, Chaos 5:82–87): boxes of 4 … 16 beats, one behind the
/// other from the start of each run, the remainder left out. It keeps only the intervals of unfinished boxes.
struct FluctuationAnalysis: Sendable {
  static let scales = 4...16
  /// Intervals that are waited for before boxes are closed.
  private static let chunk = 240

  /// The intervals of the run that some box still needs.
  private var waiting: [Double] = []
  /// For each scale, the place among them where its next box begins.
  private var starts = SIMD16<UInt16>()
  /// For each scale, the boxes and the sum of their squared residuals.
  private var boxes = [Int](repeating: 0, count: scales.count)
  private var residuals = [Double](repeating: 0, count: scales.count)

  /// Adds an interval in ms; with `followsGap` it begins a new run.
  mutating func add(_ milliseconds: Double, followsGap: Bool) {
    if followsGap { finishRun() }
    waiting.append(milliseconds)
    if waiting.count == Self.chunk {
      closeBoxes()
      forget()
    }
  }

  /// The slope of ln F(n) on ln n, where F(n) is the root mean square of the residuals in boxes of n beats.
  func alpha() -> Measured {
    var whole = self
    whole.finishRun()
    var points: [(x: Double, y: Double)] = []
    for (place, scale) in Self.scales.enumerated() {
      guard whole.boxes[place] > 0 else { return .missing(.tooFew(count: 0, minimum: scale)) }
      let meanSquare = whole.residuals[place] / Double(whole.boxes[place] * scale)
      guard meanSquare > 0 else { return .missing(.noSpread) }
      points.append((Maths.ln(Double(scale)), Maths.ln(meanSquare) / 2))
    }
    let count = Double(points.count)
    let meanX = points.reduce(0) { $0 + $1.x } / count
    let meanY = points.reduce(0) { $0 + $1.y } / count
    let covariance = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
    let variance = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    return .value(covariance / variance)
  }

  private mutating func finishRun() {
    closeBoxes()
    waiting.removeAll(keepingCapacity: true)
    starts = SIMD16()
  }

  private mutating func closeBoxes() {
    waiting.withUnsafeBufferPointer { waiting in
      for (place, scale) in Self.scales.enumerated() {
        var start = Int(starts[place])
        while start + scale <= waiting.count {
          residuals[place] += Self.residual(waiting, start, scale)
          boxes[place] += 1
          start += scale
        }
        starts[place] = UInt16(truncatingIfNeeded: start)
      }
    }
  }

  private mutating func forget() {
    let done = (0..<Self.scales.count).map { Int(starts[$0]) }.min() ?? 0
    waiting.removeFirst(done)
    starts &-= SIMD16(repeating: UInt16(truncatingIfNeeded: done))
  }

  /// The sum of squared residuals of the cumulated intervals of a box about their line. Cumulating the deviations from
  /// the mean of the series, as the definition has it, adds a line, which the residuals do not have; here it is the
  /// deviations from the mean of the box.
  @inline(__always)
  private static func residual(_ intervals: UnsafeBufferPointer<Double>, _ start: Int, _ scale: Int) -> Double {
    var total = 0.0
    for place in start..<(start + scale) { total += intervals[place] }
    let mean = total / Double(scale)
    let middle = Double(scale - 1) / 2
    var (sum, squares, slope) = (0.0, 0.0, 0.0)
    var cumulated = 0.0
    for place in 0..<scale {
      cumulated += intervals[start + place] - mean
      sum += cumulated
      squares += cumulated * cumulated
      slope += (Double(place) - middle) * cumulated
    }
    let count = Double(scale)
    let spread = count * (count * count - 1) / 12
    return max(0, squares - sum * sum / count - slope * slope / spread)
  }
}

import TachogramCore

/// Detrended fluctuation analysis at short scales (Peng et al. 1995, Chaos 5:82–87): consecutive boxes of 4 … 16 beats from the
/// start of each run, without the remainder. It stores only the intervals of unfinished boxes, and processes four boxes of a
/// scale at a time, one in each SIMD lane.
struct FluctuationAnalysis: Sendable {
  private typealias Lanes = SIMD4<Double>

  static let scales = 4...16
  /// The number of intervals to collect before boxes are closed: far more than four boxes of the largest scale contain.
  private static let chunk = 240

  /// The intervals of the run that are still needed by a box.
  private var waiting: [Double] = []
  /// For each scale, the index in `waiting` at which its next box begins.
  private var starts = SIMD16<UInt16>()
  /// For each scale, the number of boxes and the sum of their squared residuals.
  private var boxes = [Int](repeating: 0, count: scales.count)
  private var residuals = [Double](repeating: 0, count: scales.count)

  /// Adds consecutive intervals in ms. With `followsGap`, the first of them begins a new run.
  mutating func add(_ intervals: [Double], followsGap: Bool) {
    if followsGap { finishRun() }
    waiting += intervals
    if waiting.count >= Self.chunk { closeFullLanes() }
  }

  /// Returns the slope of ln F(n) on ln n, where F(n) is the root mean square of the residuals in boxes of n beats.
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

  // MARK: - Boxes

  /// Closes all whole boxes of the run and discards the remaining intervals.
  private mutating func finishRun() {
    for (place, scale) in Self.scales.enumerated() { closeBoxes(of: place, scale, isLast: true) }
    waiting.removeAll(keepingCapacity: true)
    starts = SIMD16()
  }

  /// Closes boxes in groups of four, and discards the intervals that no box needs any longer.
  private mutating func closeFullLanes() {
    for (place, scale) in Self.scales.enumerated() { closeBoxes(of: place, scale, isLast: false) }
    let done = (0..<Self.scales.count).map { Int(starts[$0]) }.min() ?? 0
    waiting.removeFirst(done)
    starts &-= SIMD16(repeating: UInt16(truncatingIfNeeded: done))
  }

  /// Closes the next boxes of a scale in groups of four; with `isLast`, also the remaining boxes.
  private mutating func closeBoxes(of place: Int, _ scale: Int, isLast: Bool) {
    let four = Lanes.scalarCount
    let first = Int(starts[place])
    var (start, sum) = (first, residuals[place])
    while start + four * scale <= waiting.count {
      let found = Self.squaredResiduals(waiting.span, from: start, boxes: four, of: scale)
      for lane in 0..<four { sum += max(0, found[lane]) }
      start += four * scale
    }
    let left = isLast ? (waiting.count - start) / scale : 0
    if left > 0 {
      let found = Self.squaredResiduals(waiting.span, from: start, boxes: left, of: scale)
      for lane in 0..<left { sum += max(0, found[lane]) }
      start += left * scale
    }
    residuals[place] = sum
    boxes[place] += (start - first) / scale
    starts[place] = UInt16(truncatingIfNeeded: start)
  }

  /// Returns the sums of squared residuals of `boxes` neighbouring boxes, 1 … 4: in each box, of the cumulated intervals about
  /// a fitted line. Further lanes repeat the last box. The definition cumulates deviations from the mean of the series, here
  /// they are from the mean of the box. The two differ by a line, which does not affect the residuals.
  @inline(__always)
  private static func squaredResiduals(
    _ intervals: Span<Double>, from start: Int, boxes: Int, of scale: Int
  ) -> Lanes {
    func places(_ number: Int) -> Range<Int> {
      let first = start + min(number, boxes - 1) * scale
      return first..<(first + scale)
    }
    let (first, second) = (intervals.extracting(places(0)), intervals.extracting(places(1)))
    let (third, fourth) = (intervals.extracting(places(2)), intervals.extracting(places(3)))
    var total = Lanes()
    for place in 0..<scale {
      total += Lanes(
        first[unchecked: place], second[unchecked: place], third[unchecked: place], fourth[unchecked: place])
    }
    let count = Double(scale)
    let mean = total / count
    var (sum, squares, slope) = (Lanes(), Lanes(), Lanes())
    var cumulated = Lanes()
    var distance = Lanes(repeating: -Double(scale - 1) / 2)
    for place in 0..<scale {
      let column = Lanes(
        first[unchecked: place], second[unchecked: place], third[unchecked: place], fourth[unchecked: place])
      cumulated += column - mean
      sum += cumulated
      squares += cumulated * cumulated
      slope += distance * cumulated
      distance += 1
    }
    let spread = count * (count * count - 1) / 12
    return squares - sum * sum / count - slope * slope / spread
  }
}

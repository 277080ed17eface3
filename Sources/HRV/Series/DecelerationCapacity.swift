import TachogramCore

/// The deceleration capacity of heart rate by phase-rectified signal averaging (Bauer et al. 2006, Lancet 367:1674–1681):
/// the mean over all intervals that are longer than their predecessor, by 5 % at most, of (NNᵢ + NNᵢ₊₁ − NNᵢ₋₁ − NNᵢ₋₂)/4,
/// with no gap among the four.
struct DecelerationCapacity: Sendable {
  static let minimumAnchors = 10
  private static let steepest = 1.05

  /// The last three intervals, the newest last, and the number of intervals since the last gap.
  private var last = (0.0, 0.0, 0.0)
  private var inRow = 0
  private var sum = 0.0
  private var anchors = 0

  /// Adds consecutive intervals in ms. With `followsGap`, nothing is computed across the start of the first.
  mutating func add(_ intervals: Span<Double>, followsGap: Bool) {
    // A local copy, so that its numbers stay in registers.
    var capacity = self
    if followsGap { capacity.inRow = 0 }
    for place in 0..<intervals.count { capacity.add(intervals[unchecked: place]) }
    self = capacity
  }

  /// Adds an interval without a branch, because whether an interval is an anchor is not predictable.
  @inline(__always)
  private mutating func add(_ milliseconds: Double) {
    let isAnchor = inRow >= 3 && last.2 > last.1 && last.2 <= Self.steepest * last.1
    sum += isAnchor ? (last.2 + milliseconds - last.1 - last.0) / 4 : 0
    anchors += isAnchor ? 1 : 0
    last = (last.1, last.2, milliseconds)
    inRow += 1
  }

  /// The deceleration capacity, in ms.
  var measured: Measured {
    anchors >= Self.minimumAnchors
      ? .value(sum / Double(anchors)) : .missing(.tooFew(count: anchors, minimum: Self.minimumAnchors))
  }
}

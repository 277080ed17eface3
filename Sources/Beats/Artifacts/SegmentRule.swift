import TachogramCore

/// Classifies artifacts by the repair that mends them: whether cutting an interval, joining two, or levelling two makes the
/// series smooth again, judged by the neighbours on both sides.
///
/// Every comparison is against the local scale of the series: the robust deviation of the successive differences in 91
/// intervals. docs/metrics.md describes the rule and its measured accuracy.
struct SegmentRule: Sendable {
  /// Neighbours on either side that an interval is expected to be like.
  static let neighbours = 5
  /// The number of intervals, beginning with the current one, that the rule examines, so that some of them are in the range of
  /// a human heart.
  static let reach = 16

  /// Scales by which an interval alone must be off to be too long or too short; also what it may be off after a repair.
  var alone = 4.0
  /// Scales by which an interval must be off for a segment with it to be looked at.
  var gate = 2.5
  /// Scales by which half the difference of two neighbours must be off to be an ectopic pair.
  var pair = 2.1
  /// Scales that a repaired segment may still be off.
  var mended = 3.0
  /// The share of half their difference by which either of an ectopic pair must be off.
  var balance = 0.5
  /// The same bounds as shares of the expected interval, which hold where the series is very even.
  var pairShare = 0.06
  var gateShare = 0.1
  var aloneShare = 0.12
  var mendedShare = 0.16
  /// An extra beat leaves at least one of its two intervals below this share of the expected one.
  var extraShare = 0.85
  /// The least scale as a share of the expected interval.
  var leastScale = 0.01

  /// The factor from the median absolute value to the standard deviation of a normal distribution.
  private static let normalConsistency = 1.482_602_218_505_602

  /// Judges the segment that begins at the first of `following`.
  ///
  /// - Parameters:
  ///   - following: The interval in question and those behind it, as far as they are known: up to `reach`, in ms.
  ///   - before: The mended intervals before it, up to `neighbours` of them, the newest last.
  ///   - differences: The sizes of the differences around it, in ms, whose robust deviation is the scale.
  /// - Returns: The artifact in the segment, or `nil` if there is none.
  @inline(__always)
  func verdict(following: Span<Double>, before: Span<Double>, differences: Span<Double>) -> SegmentHypothesis? {
    let (best, isOddAlone) = self.best(following, after: before, differences)
    guard let best, !isOddAlone, following.count > 1 else { return best }
    // The interval is abnormal only together with its successor: the artifact may begin with that one.
    var nearer: [Double] = []
    for index in max(0, before.count - Self.neighbours + 1)..<before.count { nearer.append(before[index]) }
    if IntervalRange.human.contains(following[0]) { nearer.append(following[0]) }
    let next = self.best(following.extracting(1..<following.count), after: nearer.span, differences).hypothesis
    if let next, next.misfit < best.misfit { return nil }
    return best
  }

  /// The hypothesis with the least misfit, and whether the interval is odd by itself.
  @inline(__always)
  private func best(
    _ following: Span<Double>, after before: Span<Double>, _ differences: Span<Double>
  ) -> (hypothesis: SegmentHypothesis?, isOddAlone: Bool) {
    let interval = following[0]
    let expected = Self.expected(before, following, from: 1) ?? interval
    let deviation = abs(interval - expected)
    let half = following.count > 1 ? abs(following[1] - interval) / 2 : 0
    let least = leastScale * expected
    // A larger scale finds fewer artifacts: an interval that is normal at the least scale is normal at any.
    let mayBeAlone = margin(deviation, expected, scale: least) < 0
    let mayBePair = half > pair * least
    if !mayBeAlone, !mayBePair { return (nil, false) }
    let isOddAlone =
      mayBeAlone
      && DifferenceMedian.of(differences) {
        margin(deviation, expected, scale: max($0 * Self.normalConsistency, least))
      }
    let isOddPair = mayBePair && DifferenceMedian.of(differences) { pair * ($0 * Self.normalConsistency) - half }
    if !isOddAlone, !isOddPair { return (nil, false) }
    let scale = max(DifferenceMedian.of(differences) * Self.normalConsistency, least)
    return (hypothesis(following, before, expected, scale, isOddAlone), isOddAlone)
  }

  /// Returns the margin by which an interval with a deviation from the expected value is normal by itself; below 0 if it is
  /// abnormal.
  @inline(__always)
  private func margin(_ deviation: Double, _ expected: Double, scale: Double) -> Double {
    let tooFar = max(alone * scale, aloneShare * expected)
    return min(tooFar, max(gate * scale, gateShare * expected)) - deviation
  }

  /// The hypothesis with the least misfit, of an interval that is odd, by itself or with its successor.
  private func hypothesis(
    _ following: Span<Double>, _ before: Span<Double>, _ expected: Double, _ scale: Double, _ isOddAlone: Bool
  ) -> SegmentHypothesis? {
    let interval = following[0]
    let deviation = abs(interval - expected)
    var found: SegmentHypothesis?
    func consider(_ kind: SegmentHypothesis.Kind, _ misfit: Double) {
      if misfit < found?.misfit ?? .infinity {
        found = SegmentHypothesis(kind: kind, misfit: misfit, expected: expected)
      }
    }
    if deviation > max(alone * scale, aloneShare * expected) { consider(.longShort, deviation / scale) }
    let parts = (interval / max(expected, 1)).rounded()
    if isOddAlone, parts >= 2, parts <= 60 {
      let rest = abs(interval / parts - expected)
      // A whole number of intervals is unlikely to be a coincidence.
      if rest <= max(mended * scale, mendedShare * expected) {
        consider(.missed(parts: Int(parts)), rest / scale - 0.5)
      }
    }
    if following.count > 1 { considerPair(following, before, scale, isOddAlone, consider) }
    return found
  }

  private func considerPair(
    _ following: Span<Double>, _ before: Span<Double>, _ scale: Double, _ isOddAlone: Bool,
    _ consider: (SegmentHypothesis.Kind, Double) -> Void
  ) {
    let (first, second) = (following[0], following[1])
    let sum = first + second
    let expected = Self.expected(before, following, from: 2) ?? sum / 2
    let joined = abs(sum - expected)
    if isOddAlone, joined <= max(mended * scale, mendedShare * expected), min(first, second) < extraShare * expected,
      max(first, second) < expected + scale
    {
      consider(.extra, joined / scale)
    }
    let (half, levelled) = (abs(second - first) / 2, abs(sum / 2 - expected))
    let (left, right) = (first - expected, second - expected)
    if half > max(pair * scale, pairShare * expected), levelled <= max(mended * scale, pairShare * expected),
      left * right < 0, min(abs(left), abs(right)) > balance * half
    {
      consider(.ectopic, levelled / scale)
    }
  }

  /// Returns the length expected from the neighbours in the range of a human heart for the intervals before index `from`, or
  /// `nil` if there are no such neighbours.
  @inline(__always)
  private static func expected(_ before: Span<Double>, _ following: Span<Double>, from: Int) -> Double? {
    let range = IntervalRange.human
    let end = min(following.count, from + neighbours)
    let behind = following.extracting(min(from, end)..<end)
    var inRange = 0
    for place in 0..<behind.count {
      // Counted, to avoid mispredicted branches.
      let isInRange = (behind[place] >= range.lowerBound ? 1 : 0) & (behind[place] <= range.upperBound ? 1 : 0)
      inRange &+= isInRange
    }
    return inRange == behind.count ? NeighbourMedian.of(before, behind) : expectedOfSome(before, following, from: from)
  }

  private static func expectedOfSome(_ before: Span<Double>, _ following: Span<Double>, from: Int) -> Double? {
    var behind: [Double] = []
    for place in min(from, following.count)..<following.count
    where behind.count < neighbours && IntervalRange.human.contains(following[place]) {
      behind.append(following[place])
    }
    return NeighbourMedian.of(before, behind.span)
  }
}

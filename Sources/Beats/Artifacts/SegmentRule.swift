/// Tells artifacts by the repair that mends them: whether cutting an interval, joining two, or levelling two makes the
/// series smooth again, judged by the neighbours on both sides.
///
/// Every comparison is against the local scale of the series: the robust deviation of the successive differences in 91
/// intervals. docs/metrics.md has the rule in words, and what it was measured to do.
struct SegmentRule: Hashable, Sendable {
  /// Neighbours on either side that an interval is expected to be like.
  static let neighbours = 5
  /// Intervals behind the one in question that the rule looks at.
  static let reach = 8

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

  /// What is known around the interval in question, in ms.
  struct Surroundings {
    /// The interval, and those behind it, as far as they are known: up to `SegmentRule.reach` of them.
    let following: ArraySlice<Double>
    /// The mended intervals before it, up to `SegmentRule.neighbours` of them, the newest last.
    let before: ArraySlice<Double>
    /// The robust deviation of the differences around it.
    let scale: Double
  }

  /// What is wrong with the segment that begins at the interval in question; `nil` when nothing is.
  func verdict(_ surroundings: Surroundings) -> SegmentHypothesis? {
    let (best, isOddAlone) = self.best(surroundings.following, after: surroundings.before, scale: surroundings.scale)
    guard let best, !isOddAlone, surroundings.following.count > 1 else { return best }
    // Only together with its successor it is odd: what is wrong may begin with that one.
    let before = surroundings.before.suffix(Self.neighbours - 1) + surroundings.following.prefix(1)
    let next = self.best(surroundings.following.dropFirst(), after: before, scale: surroundings.scale).hypothesis
    if let next, next.misfit < best.misfit { return nil }
    return best
  }

  /// The hypothesis with the least misfit, and whether the interval is odd by itself.
  private func best(
    _ following: ArraySlice<Double>, after before: ArraySlice<Double>, scale: Double
  ) -> (hypothesis: SegmentHypothesis?, isOddAlone: Bool) {
    guard let interval = following.first else { return (nil, false) }
    let expected = Self.median(before, following.dropFirst(1).prefix(Self.neighbours)) ?? interval
    let scale = max(scale, leastScale * expected)
    let deviation = abs(interval - expected)
    let tooFar = max(alone * scale, aloneShare * expected)
    let isOddAlone = deviation > min(tooFar, max(gate * scale, gateShare * expected))
    var found: SegmentHypothesis?
    func consider(_ kind: SegmentHypothesis.Kind, _ misfit: Double) {
      if misfit < found?.misfit ?? .infinity {
        found = SegmentHypothesis(kind: kind, misfit: misfit, expected: expected)
      }
    }
    if deviation > tooFar { consider(.longShort, deviation / scale) }
    let mendedBound = max(mended * scale, mendedShare * expected)
    let parts = (interval / max(expected, 1)).rounded()
    if isOddAlone, parts >= 2, parts <= 60 {
      let rest = abs(interval / parts - expected)
      // A whole number of intervals is hardly chance.
      if rest <= mendedBound { consider(.missed(parts: Int(parts)), rest / scale - 0.5) }
    }
    if following.count > 1 {
      considerPair(interval, following[following.startIndex + 1], before, following, isOddAlone, scale, consider)
    }
    return (found, isOddAlone)
  }

  private func considerPair(
    _ first: Double, _ second: Double, _ before: ArraySlice<Double>, _ following: ArraySlice<Double>, _ isOdd: Bool,
    _ scale: Double, _ consider: (SegmentHypothesis.Kind, Double) -> Void
  ) {
    let sum = first + second
    let expected = Self.median(before, following.dropFirst(2).prefix(Self.neighbours)) ?? sum / 2
    let joined = abs(sum - expected)
    if isOdd, joined <= max(mended * scale, mendedShare * expected), min(first, second) < extraShare * expected,
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

  /// The median of two short lists together; `nil` when both are empty.
  static func median(_ left: ArraySlice<Double>, _ right: ArraySlice<Double>) -> Double? {
    let count = left.count + right.count
    guard count > 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { values in
      var filled = 0
      for list in [left, right] {
        for value in list {
          var place = filled
          while place > 0, values[place - 1] > value {
            values[place] = values[place - 1]
            place -= 1
          }
          values[place] = value
          filled += 1
        }
      }
      return count.isMultiple(of: 2) ? (values[count / 2 - 1] + values[count / 2]) / 2 : values[count / 2]
    }
  }
}

import TachogramCore

/// Tells a rhythm whose variability is no measure of autonomic activity: one interval differs from the next by much, and
/// without the order that breathing gives. Atrial fibrillation is such a rhythm, and so is one with very many ectopic
/// beats.
///
/// Both conditions are in the manner of Dash et al. 2009 (Ann Biomed Eng 37:1701–1709): the size of the successive
/// differences against the mean interval, by a robust deviation (1.4826 × the median of their absolute values) that
/// single ectopic beats do not move, and the share of turning points among them, which is 2/3 where intervals come at
/// random. docs/metrics.md has what the bounds were measured to do.
enum RhythmJudge {
  /// The robust deviation of the differences, as a share of the mean interval, beyond which they are large.
  private static let largeDifferences = 0.1
  /// The share of turning points from which on there is no order in them.
  private static let disorder = 0.55
  /// Differences below which nothing is said.
  private static let minimumDifferences = 30
  private static let normalConsistency = 1.482_602_218_505_602

  /// Whether the rhythm of a series is irregular.
  static func isIrregular(_ series: NNSeries) -> Bool {
    var sizes: [Double] = []
    var (turns, turnable) = (0, 0)
    sizes.reserveCapacity(series.count)
    for run in series.runs where run.count > 1 {
      var before = 0.0
      for place in (run.lowerBound + 1)..<run.upperBound {
        let difference = series.intervals[place] - series.intervals[place - 1]
        if place > run.lowerBound + 1 {
          turnable += 1
          turns += before * difference < 0 ? 1 : 0
        }
        sizes.append(abs(difference))
        before = difference
      }
    }
    guard sizes.count >= minimumDifferences, turnable > 0 else { return false }
    sizes.sort()
    let deviation = normalConsistency * sizes[sizes.count / 2]
    let mean = series.intervals.reduce(0, +) / Double(series.count)
    return deviation > largeDifferences * mean && Double(turns) >= disorder * Double(turnable)
  }
}

import TachogramCore

/// Tells a rhythm whose variability is no measure of autonomic activity: one interval differs from the next by much, and
/// without the order that breathing gives. Atrial fibrillation is such a rhythm, and so is one with very many ectopic
/// beats.
///
/// Both conditions are in the manner of Dash et al. 2009 (Ann Biomed Eng 37:1701–1709): the size of the successive
/// differences against the mean interval, by a robust deviation (1.4826 × the median of their absolute values) that
/// single ectopic beats do not move, and the share of turning points among them, which is 2/3 where intervals come at
/// random. Where so many intervals are wrong that correction finds few of them, less than half of the differences are large;
/// then it is the spikes that tell: large differences that take the one before back. docs/metrics.md has what the bounds were
/// measured to do.
enum RhythmJudge {
  /// The robust deviation of the differences, as a share of the mean interval, beyond which they are large.
  private static let largeDifferences = 0.1
  /// The share of turning points from which on there is no order in them.
  private static let disorder = 0.55
  /// A difference beyond this share of the mean interval, the other way than the one before, is a spike; and with so many
  /// spikes among them a rhythm is irregular.
  private static let (spike, mostSpikes) = (0.2, 0.06)
  /// Differences below which nothing is said.
  private static let minimumDifferences = 30
  private static let normalConsistency = 1.482_602_218_505_602

  /// Whether the rhythm of a series is irregular.
  static func isIrregular(_ series: NNSeries) -> Bool {
    let mean = series.intervals.reduce(0, +) / Double(series.count)
    let (bound, spikeBound) = (largeDifferences * mean, spike * mean)
    var (differences, large, turnable, turns, spikes) = (0, 0, 0, 0, 0)
    for run in series.runs where run.count > 1 {
      let intervals = series.intervals.span.extracting(run)
      var before = 0.0
      for place in 1..<intervals.count {
        let difference = intervals[unchecked: place] - intervals[unchecked: place - 1]
        large &+= normalConsistency * abs(difference) > bound ? 1 : 0
        // Nothing turns at the first difference of a run, before which there is 0.
        let isTurn = before * difference < 0
        turns &+= isTurn ? 1 : 0
        spikes &+= isTurn && abs(difference) > spikeBound ? 1 : 0
        before = difference
      }
      differences += intervals.count - 1
      turnable += intervals.count - 2
    }
    guard differences >= minimumDifferences, turnable > 0 else { return false }
    // The upper median is beyond the bound where half of them, rounded up, are: nothing need be sorted for it.
    if 2 * large < differences { return Double(spikes) > mostSpikes * Double(differences) }
    return Double(turns) >= disorder * Double(turnable)
  }
}

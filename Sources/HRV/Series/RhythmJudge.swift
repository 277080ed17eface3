import TachogramCore

/// Recognises a rhythm whose variability is no measure of autonomic activity: its intervals differ strongly from their
/// neighbours, and not in the manner of breathing. Examples are atrial fibrillation, a rhythm with very many ectopic beats,
/// bigeminy, trigeminy, and intervals that no heart produces.
///
/// A rhythm is irregular if it meets one of four conditions:
/// - *Spread*: the intervals deviate from their mean by more than those of any heart within minutes, regardless of their order.
/// - *No order*: the differences are large and change sign as often as random ones, similar to Dash et al. 2009 (Ann Biomed Eng
///   37:1701–1709): measured by a robust deviation (1.4826 × the median of their absolute values) relative to the mean
///   interval, which single ectopic beats do not affect, and by the share of turning points, which is 2/3 for random intervals.
/// - *Spikes*: if so many intervals are wrong that correction finds few of them, less than half of the differences are large.
///   Then the criterion is the number of large differences that reverse the preceding one.
/// - *Kinks*: intervals are repeatedly far from the mean of their two neighbours, in a regular order or not. Breathing is
///   smooth: its differences are large, but each is similar to the preceding one.
///
/// docs/metrics.md documents the measured effect of the bounds.
enum RhythmJudge {
  /// The robust deviation of the differences, as a share of the mean interval, above which they are large.
  private static let largeDifferences = 0.1
  /// The minimum share of turning points of a rhythm without order.
  private static let disorder = 0.55
  /// The share of the mean interval above which a difference of opposite sign to the preceding one is a spike, and the share of
  /// spikes among the differences above which a rhythm is irregular.
  private static let (spike, mostSpikes) = (0.2, 0.06)
  /// The share of the mean interval above which the change between two consecutive differences is a kink, and the share of
  /// kinks above which a rhythm is irregular.
  private static let (kink, mostKinks) = (0.3, 0.25)
  /// The standard deviation of the intervals, as a share of their mean, that no heart exceeds in a window or a segment.
  private static let mostSpread = 0.45
  /// The minimum number of differences for each artifact that is taken into account. A replaced interval is similar to its
  /// neighbours, so that an artifact hides two differences and three turning points; these are counted as large and as turns.
  private static let leastPerArtifact = 20
  /// The minimum number of differences for a decision.
  private static let minimumDifferences = 30
  private static let normalConsistency = 1.482_602_218_505_602

  /// Returns the rhythm of a series in which `artifacts` intervals are artifacts. A rhythm that is both irregular and repeated
  /// is `irregular`.
  static func rhythm(of series: NNSeries, artifacts: Int) -> Rhythm {
    if isIrregular(series, artifacts: artifacts) { return .irregular }
    return RepetitionJudge.repeatsItself(series) ? .repeated : .plausible
  }

  /// Whether the rhythm of a series is irregular.
  private static func isIrregular(_ series: NNSeries, artifacts: Int) -> Bool {
    let mean = series.intervals.reduce(0, +) / Double(series.count)
    let (bound, spikeBound, kinkBound) = (largeDifferences * mean, spike * mean, kink * mean)
    var (differences, large, turnable, turns, spikes, kinks) = (0, 0, 0, 0, 0, 0)
    for run in series.runs where run.count > 1 {
      let intervals = series.intervals.span.extracting(run)
      // The first difference of a run has no predecessor: comparisons with NaN are false, so that it is not a turn or a kink.
      var before = Double.nan
      for place in 1..<intervals.count {
        let difference = intervals[unchecked: place] - intervals[unchecked: place - 1]
        large &+= normalConsistency * abs(difference) > bound ? 1 : 0
        let isTurn = before * difference < 0
        turns &+= isTurn ? 1 : 0
        spikes &+= isTurn && abs(difference) > spikeBound ? 1 : 0
        kinks &+= abs(difference - before) > kinkBound ? 1 : 0
        before = difference
      }
      differences += intervals.count - 1
      turnable += intervals.count - 2
    }
    guard differences >= minimumDifferences, turnable > 0 else { return false }
    if hasImpossibleSpread(series, mean: mean) { return true }
    if Double(kinks) > mostKinks * Double(turnable) { return true }
    let mended = min(artifacts, differences / leastPerArtifact)
    // The upper median is above the bound if at least half of the differences, rounded up, are. This requires no sorting.
    if 2 * (large + 2 * mended) < differences { return Double(spikes) > mostSpikes * Double(differences) }
    return Double(turns + 3 * mended) >= disorder * Double(turnable)
  }

  private static func hasImpossibleSpread(_ series: NNSeries, mean: Double) -> Bool {
    let squares = series.intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return squares > mostSpread * mean * mostSpread * mean * Double(series.count)
  }
}

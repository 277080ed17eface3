import TachogramCore

/// Recognises a rhythm whose variability is no measure of autonomic activity: its intervals differ from their neighbours by much,
/// and not in the manner of breathing. Atrial fibrillation is such a rhythm, and so are one with very many ectopic beats, a
/// bigeminy or a trigeminy, and whatever no heart does.
///
/// A rhythm is irregular when one of four things holds:
/// - *Spread*: the intervals deviate from their mean by more than those of any heart do within minutes, in whatever order.
/// - *No order*: its differences are large and turn as often as chance makes them, in the manner of Dash et al. 2009 (Ann
///   Biomed Eng 37:1701–1709): by a robust deviation (1.4826 × the median of their absolute values) against the mean interval,
///   that single ectopic beats do not move, and by the share of turning points, which is 2/3 where intervals come at random.
/// - *Spikes*: where so many intervals are wrong that correction finds few of them, less than half of the differences are
///   large; then it is the large differences that take the one before back.
/// - *Kinks*: an interval is far off the middle of its two neighbours, again and again, whether there is an order in it or
///   not. Breathing is smooth: its differences are large, but each is like the one before.
///
/// docs/metrics.md has what the bounds were measured to do.
enum RhythmJudge {
  /// The robust deviation of the differences, as a share of the mean interval, beyond which they are large.
  private static let largeDifferences = 0.1
  /// The share of turning points from which on there is no order in them.
  private static let disorder = 0.55
  /// A difference beyond this share of the mean interval, the other way than the one before, is a spike; and with so many
  /// spikes among them a rhythm is irregular.
  private static let (spike, mostSpikes) = (0.2, 0.06)
  /// By so much of the mean interval two differences in a row differ in a kink; and with more than such a share of kinks a
  /// rhythm is irregular.
  private static let (kink, mostKinks) = (0.3, 0.25)
  /// The standard deviation of the intervals, as a share of their mean, that no heart reaches in a window or a segment.
  private static let mostSpread = 0.45
  /// What a repair puts in is like what is beside it: an artifact hides two differences, and three turning points. They are
  /// taken for large and for turns; one artifact in so many differences at most.
  private static let leastPerArtifact = 20
  /// Differences below which nothing is said.
  private static let minimumDifferences = 30
  private static let normalConsistency = 1.482_602_218_505_602

  /// What the rhythm of a series is, of whose intervals `artifacts` are mended or inserted. Where it is irregular and repeats
  /// itself as well, it is irregular.
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
      // Before the first difference of a run there is none: nothing turns and nothing is a kink there.
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
    // The upper median is beyond the bound where half of them, rounded up, are: nothing need be sorted for it.
    if 2 * (large + 2 * mended) < differences { return Double(spikes) > mostSpikes * Double(differences) }
    return Double(turns + 3 * mended) >= disorder * Double(turnable)
  }

  private static func hasImpossibleSpread(_ series: NNSeries, mean: Double) -> Bool {
    let squares = series.intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return squares > mostSpread * mean * mostSpread * mean * Double(series.count)
  }
}

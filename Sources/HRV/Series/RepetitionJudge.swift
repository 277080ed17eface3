import TachogramCore

/// Recognises intervals that repeat themselves: equal intervals, as from a pacemaker at a fixed rate, or a repeated pattern,
/// which no heart produces. The intervals of a heart in sinus rhythm never repeat for minutes, so that the variability of such
/// a stretch is not a measure of autonomic activity.
///
/// A rhythm has the period p if nearly every interval equals, within rounding, the interval p beats before it; the shortest
/// pattern is one interval, p = 1. The comparison with the interval p beats before, instead of with a fixed pattern, tolerates
/// a slow drift, a step from one rate to another, and a lost beat.
///
/// docs/metrics.md documents the measured effect of the bounds.
enum RepetitionJudge {
  /// The longest pattern, in beats.
  private static let longestPeriod = 32
  /// The maximum difference between intervals one period apart, in ms. Straps send whole milliseconds or 1/1024 s, and the
  /// pacemaker and the device that reports its beats are each exact to one of these units. The fraction allows for the rounding
  /// of text in seconds.
  private static let tolerance = 2.001
  /// The share of intervals that may differ by more: those next to a repair, an ectopic beat, or the end of one pattern.
  private static let mostUnlike = 0.1
  /// The minimum number of pairs of intervals for a decision.
  private static let minimumPairs = 30

  /// Whether the intervals of a series repeat themselves. A period is rejected as soon as too many intervals differ, in nearly
  /// all series after a tenth of the intervals.
  static func repeatsItself(_ series: NNSeries) -> Bool {
    let runs = series.runs
    return (1...longestPeriod).contains { hasPeriod($0, series, runs) }
  }

  private static func hasPeriod(_ period: Int, _ series: NNSeries, _ runs: [Range<Int>]) -> Bool {
    let pairs = runs.reduce(0) { $0 + max(0, $1.count - period) }
    guard pairs >= max(minimumPairs, period) else { return false }
    let most = Int(mostUnlike * Double(pairs))
    var unlike = 0
    for run in runs where run.count > period {
      let intervals = series.intervals.span.extracting(run)
      var place = period
      // Four at a time, until the result is known.
      while place + 4 <= intervals.count, unlike <= most {
        let difference = intervals.four(at: place) - intervals.four(at: place - period)
        let isUnlike = (difference .> tolerance) .| (difference .< -tolerance)
        unlike &-= Int(SIMD4<Int64>(repeating: 0).replacing(with: -1, where: isUnlike).wrappedSum())
        place += 4
      }
      while place < intervals.count, unlike <= most {
        let difference = intervals[unchecked: place] - intervals[unchecked: place - period]
        unlike += abs(difference) > tolerance ? 1 : 0
        place += 1
      }
      if unlike > most { return false }
    }
    return true
  }
}

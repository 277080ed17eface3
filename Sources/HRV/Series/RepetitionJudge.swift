import TachogramCore

/// Recognises intervals that repeat themselves: one after the other the same, as a pacemaker at a fixed rate makes them, or a
/// pattern over and over, as whatever no heart does. A heart in sinus rhythm never returns to the same intervals for minutes, so
/// that the variability of such a stretch is not one of autonomic activity.
///
/// A rhythm has the period p when nearly every interval is within rounding of the one p beats before it; the smallest pattern of
/// all is one interval, p = 1. Comparing with the beat before p, and not with one fixed pattern, leaves room for a slow drift, for
/// a step from one rate to another, and for a lost beat.
///
/// docs/metrics.md has what the bounds were measured to do.
enum RepetitionJudge {
  /// The longest pattern, in beats.
  private static let longestPeriod = 32
  /// The most by which an interval and the one before it by a period differ, in ms: straps send whole milliseconds or 1/1024 s,
  /// and a pacemaker and what reports its beats are exact to one of these each. The fraction is for the rounding of a text in
  /// seconds.
  private static let tolerance = 2.001
  /// The share of intervals that may differ by more: those next to a repair, an ectopic beat, or the end of one pattern.
  private static let mostUnlike = 0.1
  /// Pairs of intervals below which nothing is said.
  private static let minimumPairs = 30

  /// Whether the intervals of a series repeat themselves. A period is left as soon as it cannot be one, for nearly all series
  /// after a tenth of their intervals.
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
      // Four at a time, and no more of them than it takes to know.
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

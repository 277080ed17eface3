import FoundationEssentials
import HRV
import StressKit
import TachogramCore

/// Computes HRV and stress from a plain series of intervals, such as that of a text file, without notifications or a ledger.
package struct SeriesAnalysis: Sendable {
  /// The maximum time, ten years, in ms. No recording is longer; time is limited to it, so that it cannot overflow.
  private static let longest = 10 * 366 * 86_400_000.0

  private var analyzer: BeatAnalyzer
  private var beats = BeatCounts()
  /// The end of the last interval, in ms. For any real series the sum is exact to far below a microsecond.
  private var time = 0.0
  private var covered = 0.0

  /// Creates an analysis of a series that begins at 1970-01-01, because text files do not contain the time of recording.
  package init(baseline: PersonalBaseline, options: AnalysisOptions = AnalysisOptions()) {
    analyzer = BeatAnalyzer(
      start: WallTime(microseconds: 0), monotonicStart: MonotonicTime(microseconds: 0), baseline: baseline,
      options: options, isRecording: false)
  }

  /// Adds an interval of `milliseconds`, 0 < … ≤ 65 535. `gap` is the missing time before it in ms, or `nil` if there is no
  /// gap. With `hasUnusableTime`, it counts as an artifact.
  package mutating func add(milliseconds: Double, gap: Double?, hasUnusableTime: Bool = false) {
    if let gap {
      beats.gaps += 1
      beats.gapSeconds += gap / 1000
      time = min(time + gap, Self.longest)
    }
    time = min(time + milliseconds, Self.longest)
    beats.total += 1
    let isOutOfRange = IntervalRange(milliseconds: milliseconds) != .inRange
    if isOutOfRange { beats.outOfRange += 1 } else { covered += milliseconds }
    if hasUnusableTime { beats.withUnusableTime += 1 }
    analyzer.add(
      NNInterval(milliseconds: milliseconds), at: MonotonicTime(microseconds: Int64((time * 1000).rounded())),
      followsGap: gap != nil, isDoubtful: isOutOfRange || hasUnusableTime)
  }

  /// Adds values that are not intervals, such as 0. Each counts as an artifact and has no duration. The next interval follows a
  /// gap.
  package mutating func addImpossible(_ count: Int) {
    beats.impossible += count
    for _ in 0..<count {
      analyzer.addImpossible(at: MonotonicTime(microseconds: Int64((time * 1000).rounded())))
    }
  }

  /// Returns the report of the series so far.
  package func report() -> SeriesReport {
    var beats = beats
    beats.coverage = time > 0 ? min(1, covered / time) : 0
    beats.spanSeconds = time / 1000
    return analyzer.report(beats)
  }
}

import FoundationEssentials
import HRV
import StressKit
import TachogramCore

/// HRV and stress of a plain series of intervals, as text files hold them: no notifications, no ledger.
package struct SeriesAnalysis: Sendable {
  /// No recording lasts ten years: beyond them, time stands still instead of overflowing. In ms.
  private static let longest = 10 * 366 * 86_400_000.0

  private var analyzer: BeatAnalyzer
  private var beats = BeatCounts()
  /// End of the last interval, in ms; a sum in double precision, exact to far below a microsecond for any real series.
  private var time = 0.0
  private var covered = 0.0

  /// The series begins at 1970-01-01, since text files do not say when they were recorded.
  package init(baseline: PersonalBaseline, options: AnalysisOptions = AnalysisOptions()) {
    analyzer = BeatAnalyzer(
      start: WallTime(microseconds: 0), monotonicStart: MonotonicTime(microseconds: 0), baseline: baseline,
      options: options, isRecording: false)
  }

  /// Adds an interval of `milliseconds`, 0 < … ≤ 65 535. `gap` is the time in ms that is missing before it; `nil`
  /// when it follows its predecessor. With `hasUnusableTime` it counts as an artifact.
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

  /// Adds values that are no intervals, such as 0. Each counts as an artifact, and takes no time; the next interval follows a
  /// gap.
  package mutating func addImpossible(_ count: Int) {
    beats.impossible += count
    for _ in 0..<count {
      analyzer.addImpossible(at: MonotonicTime(microseconds: Int64((time * 1000).rounded())))
    }
  }

  /// The report of the series so far.
  package func report() -> SeriesReport {
    var beats = beats
    beats.coverage = time > 0 ? min(1, covered / time) : 0
    beats.spanSeconds = time / 1000
    return analyzer.report(beats)
  }
}

import TachogramCore

@testable import Beats

/// A sink that keeps what it is given.
struct CollectedIntervals: CorrectedIntervalSink {
  typealias Outcome = (interval: CorrectedInterval, followsGap: Bool)

  var intervals: [CorrectedInterval] = []
  var gaps: [Bool] = []
  /// Raw intervals that are gaps themselves.
  var gapSources: [Int] = []

  var outcomes: [Outcome] { zip(intervals, gaps).map { ($0, $1) } }
  var milliseconds: [Double] { intervals.map(\.milliseconds) }

  mutating func append(_ interval: CorrectedInterval, followsGap: Bool) {
    intervals.append(interval)
    gaps.append(followsGap)
  }

  mutating func appendGap(endingAt time: MonotonicTime, source: Int) {
    gapSources.append(source)
  }

  /// Runs between gaps through the corrector of a method, and what it found.
  static func correcting(
    _ runs: [[Double]], by method: ArtifactMethod
  ) -> (collected: CollectedIntervals, findings: ArtifactFindings) {
    var corrector = ArtifactCorrector(method: method, listsPositions: true)
    var collected = CollectedIntervals()
    var time = 0.0
    for run in runs {
      for (index, interval) in run.enumerated() {
        time += interval
        corrector.append(
          interval, endingAt: MonotonicTime(microseconds: Int64((time * 1000).rounded())), followsGap: index == 0,
          into: &collected)
      }
    }
    corrector.finish(into: &collected)
    return (collected, corrector.findings)
  }
}

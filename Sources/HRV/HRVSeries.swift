import TachogramCore

/// One series of a session, raw or corrected, and everything that is computed of it: the whole, its sliding windows and
/// its segments.
package struct HRVSeries: Sendable {
  private var engine = HRVEngine()
  private var whole = SeriesAccumulator()
  private var segmented: SegmentSeries
  private let limits: ArtifactLimits?

  /// With `isDetailed` its segments have all their metrics, else those of the time domain. Without `limits`, values are
  /// given whatever the artifacts.
  package init(isDetailed: Bool, limits: ArtifactLimits?) {
    segmented = SegmentSeries(isDetailed: isDetailed, limits: limits)
    self.limits = limits
  }

  /// Adds the next interval. Ends do not decrease from one to the next.
  @inline(__always)
  package mutating func append(_ interval: TimedInterval) {
    engine.append(interval)
    whole.add(interval.nn.milliseconds, followsGap: interval.followsGap)
    segmented.add(interval)
  }

  /// The metrics of the whole, of whose intervals `artifactShare`, 0 … 1, are artifacts.
  package func metrics(artifactShare: Double) -> HRVMetrics {
    var metrics = whole.metrics(timeDomain: engine.session.metrics())
    metrics.set(.sdann, segmented.sdann)
    metrics.set(.sdnnIndex, segmented.sdnnIndex)
    if let limits {
      metrics.judge(artifactShare: artifactShare, irregularShare: segmented.irregularShare, limits: limits)
    }
    return metrics
  }

  /// The complete segments.
  package var segments: [SegmentSeries.Segment] { segmented.segments }

  /// The share of the segments whose rhythm is irregular, 0 … 1.
  package var irregularShare: Double { segmented.irregularShare }

  /// The spectrum of the whole, or `nil` where it is too long or too short for one.
  package var spectrum: Spectrum? { whole.spectrum }

  // MARK: - Windows

  /// The windows at the last interval, in the order of their lengths, with `tail` behind that one.
  package func windows(sessionStart: MonotonicTime, with tail: [TimedInterval] = []) -> [HRVWindow] {
    let engine = tail.isEmpty ? engine : engine.with(tail)
    return engine.snapshot(sessionStart: sessionStart).map { window in
      guard limits != nil else { return window }
      return judged(window, HRVMetrics(timeDomain: window.metrics), of: engine.series(length: window.length)).window
    }
  }

  /// The windows with all their metrics.
  package func detailedWindows(sessionStart: MonotonicTime) -> [(window: HRVWindow, metrics: HRVMetrics)] {
    engine.snapshot(sessionStart: sessionStart).map { window in
      let series = engine.series(length: window.length)
      var accumulator = SeriesAccumulator()
      accumulator.add(series)
      return judged(window, accumulator.metrics(timeDomain: window.metrics), of: series)
    }
  }

  /// A window of these intervals without the values that say too little.
  private func judged(
    _ window: HRVWindow, _ metrics: HRVMetrics, of series: NNSeries
  ) -> (window: HRVWindow, metrics: HRVMetrics) {
    guard let limits else { return (window, metrics) }
    var (window, metrics) = (window, metrics)
    metrics.judge(
      artifactShare: window.artifactShare, irregularShare: RhythmJudge.isIrregular(series) ? 1 : 0, limits: limits)
    window.metrics = metrics.timeDomain
    return (window, metrics)
  }
}

import TachogramCore

/// Computes all metrics of one series of a session, raw or corrected: of the whole, its sliding windows and its segments.
package struct HRVSeries: Sendable {
  private var engine = HRVEngine()
  private var whole = SeriesAccumulator()
  private var segmented: SegmentSeries
  private let limits: ArtifactLimits?

  /// Creates an empty series. With `keepsSegments`, its segments are kept with all their metrics. Without `limits`, values are
  /// returned whatever the artifacts.
  package init(keepsSegments: Bool, limits: ArtifactLimits?) {
    segmented = SegmentSeries(keepsSegments: keepsSegments, limits: limits)
    self.limits = limits
  }

  /// Sets the start of the series, at which its first segment begins. Must be called before the first interval is appended.
  package mutating func begin(at start: MonotonicTime) {
    segmented.begin(at: start)
  }

  /// Appends the next interval. The ends must not decrease.
  @inline(__always)
  package mutating func append(_ interval: TimedInterval) {
    engine.append(interval)
    whole.add(interval.nn.milliseconds, followsGap: interval.followsGap)
    segmented.add(interval)
  }

  /// Appends a gap, an interval above 3 s that ended at `end`. The next interval follows a gap.
  package mutating func appendGap(endingAt end: MonotonicTime) {
    engine.appendGap(endingAt: end)
    segmented.addGap(endingAt: end)
  }

  /// The quality of the whole series.
  package var quality: StretchQuality { segmented.quality }

  /// Returns the metrics of the whole series.
  package func metrics() -> HRVMetrics {
    var metrics = whole.metrics(timeDomain: engine.session.metrics())
    metrics.set(.sdann, segmented.sdann)
    metrics.set(.sdnnIndex, segmented.sdnnIndex)
    if let limits { metrics.judge(quality, limits: limits) }
    return metrics
  }

  /// The complete segments; empty unless they are kept.
  package var segments: [SegmentSeries.Segment] { segmented.segments }

  /// The spectrum of the whole series, or `nil` if the series is too long or too short.
  package var spectrum: Spectrum? { whole.spectrum }

  // MARK: - Windows

  /// Returns the windows at the last interval after `tail` is appended, in the order of their lengths.
  package func windows(sessionStart: MonotonicTime, with tail: [TimedInterval] = []) -> [HRVWindow] {
    let engine = tail.isEmpty ? engine : engine.with(tail)
    let windows = engine.snapshot(sessionStart: sessionStart)
    guard limits != nil else { return windows }
    let judged = segmented.judgedStretches(with: tail)
    return windows.map { detailed($0, of: engine, judged).window }
  }

  /// Returns the windows with the intervals from which all their metrics can be computed.
  package func detailedWindows(sessionStart: MonotonicTime) -> [DetailedWindow] {
    engine.snapshot(sessionStart: sessionStart).map { detailed($0, of: engine, segmented.judgedStretches) }
  }

  /// Returns the window of `length` after `tail` is appended, or `nil` if there is no window of that length.
  package func detailedWindow(
    length: WindowLength, sessionStart: MonotonicTime, with tail: [TimedInterval]
  ) -> DetailedWindow? {
    let engine = tail.isEmpty ? engine : engine.with(tail)
    return engine.snapshot(length: length, sessionStart: sessionStart).map {
      detailed($0, of: engine, segmented.judgedStretches(with: tail))
    }
  }

  /// Adds the intervals and the quality to a window. The quality depends on the rhythm of the window and of the segments that
  /// it overlaps.
  private func detailed(
    _ window: HRVWindow, of engine: HRVEngine, _ judged: [JudgedStretch]
  ) -> DetailedWindow {
    let series = engine.series(length: window.length)
    var quality = engine.quality(length: window.length, judged: judged)
    if limits != nil { quality.set(RhythmJudge.rhythm(of: series, artifacts: quality.artifacts)) }
    return DetailedWindow(window, of: series, quality: quality, limits: limits)
  }
}

import TachogramCore

/// One series of a session, raw or corrected, and everything that is computed of it: the whole, its sliding windows and
/// its segments.
package struct HRVSeries: Sendable {
  private var engine = HRVEngine()
  private var whole = SeriesAccumulator()
  private var segmented: SegmentSeries
  private let limits: ArtifactLimits?

  /// With `keepsSegments` its segments are kept, with all their metrics. Without `limits`, values are given whatever the
  /// artifacts.
  package init(keepsSegments: Bool, limits: ArtifactLimits?) {
    segmented = SegmentSeries(keepsSegments: keepsSegments, limits: limits)
    self.limits = limits
  }

  /// Sets when the series begins, before its first interval: its segments begin there.
  package mutating func begin(at start: MonotonicTime) {
    segmented.begin(at: start)
  }

  /// Adds the next interval. Ends do not decrease from one to the next.
  @inline(__always)
  package mutating func append(_ interval: TimedInterval) {
    engine.append(interval)
    whole.add(interval.nn.milliseconds, followsGap: interval.followsGap)
    segmented.add(interval)
  }

  /// Adds a gap that an interval above 3 s is, which ended at `end`; the next interval follows a gap.
  package mutating func appendGap(endingAt end: MonotonicTime) {
    engine.appendGap(endingAt: end)
    segmented.addGap(endingAt: end)
  }

  /// How far the whole can be trusted.
  package var quality: StretchQuality { segmented.quality }

  /// The metrics of the whole.
  package func metrics() -> HRVMetrics {
    var metrics = whole.metrics(timeDomain: engine.session.metrics())
    metrics.set(.sdann, segmented.sdann)
    metrics.set(.sdnnIndex, segmented.sdnnIndex)
    if let limits { metrics.judge(quality, limits: limits) }
    return metrics
  }

  /// The complete segments; empty unless they are kept.
  package var segments: [SegmentSeries.Segment] { segmented.segments }

  /// The spectrum of the whole, or `nil` where it is too long or too short for one.
  package var spectrum: Spectrum? { whole.spectrum }

  // MARK: - Windows

  /// The windows at the last interval, in the order of their lengths, with `tail` behind that one.
  package func windows(sessionStart: MonotonicTime, with tail: [TimedInterval] = []) -> [HRVWindow] {
    let engine = tail.isEmpty ? engine : engine.with(tail)
    let windows = engine.snapshot(sessionStart: sessionStart)
    guard limits != nil else { return windows }
    let judged = segmented.judgedStretches(with: tail)
    return windows.map { detailed($0, of: engine, judged).window }
  }

  /// The windows with what all their metrics are computed from.
  package func detailedWindows(sessionStart: MonotonicTime) -> [DetailedWindow] {
    engine.snapshot(sessionStart: sessionStart).map { detailed($0, of: engine, segmented.judgedStretches) }
  }

  /// The window of `length`, with `tail` behind the last interval; `nil` where there is none of that length.
  package func detailedWindow(
    length: WindowLength, sessionStart: MonotonicTime, with tail: [TimedInterval]
  ) -> DetailedWindow? {
    let engine = tail.isEmpty ? engine : engine.with(tail)
    return engine.snapshot(length: length, sessionStart: sessionStart).map {
      detailed($0, of: engine, segmented.judgedStretches(with: tail))
    }
  }

  /// A window is judged by its own rhythm, and by that of the segments that it reaches into.
  private func detailed(
    _ window: HRVWindow, of engine: HRVEngine, _ judged: [JudgedStretch]
  ) -> DetailedWindow {
    let series = engine.series(length: window.length)
    var quality = engine.quality(length: window.length, judged: judged)
    if limits != nil { quality.set(RhythmJudge.rhythm(of: series, artifacts: quality.artifacts)) }
    return DetailedWindow(window, of: series, quality: quality, limits: limits)
  }
}

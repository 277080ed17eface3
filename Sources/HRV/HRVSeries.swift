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
      limits == nil ? window : detailed(window, of: engine).window
    }
  }

  /// The windows with what all their metrics are computed from.
  package func detailedWindows(sessionStart: MonotonicTime) -> [DetailedWindow] {
    engine.snapshot(sessionStart: sessionStart).map { detailed($0, of: engine) }
  }

  /// The window of `length` seconds, with `tail` behind the last interval; `nil` where there is none of that length.
  package func detailedWindow(
    length: Int, sessionStart: MonotonicTime, with tail: [TimedInterval]
  ) -> DetailedWindow? {
    let engine = tail.isEmpty ? engine : engine.with(tail)
    return engine.snapshot(length: length, sessionStart: sessionStart).map { detailed($0, of: engine) }
  }

  private func detailed(_ window: HRVWindow, of engine: HRVEngine) -> DetailedWindow {
    DetailedWindow(window, of: engine.series(length: window.length), limits: limits)
  }
}

import TachogramCore

/// A window with its intervals. Metrics that are too expensive to compute for every beat can be computed from it later, and on
/// any thread.
package struct DetailedWindow: Sendable {
  private let raw: HRVWindow
  private let series: NNSeries
  private let quality: StretchQuality
  private let limits: ArtifactLimits?

  /// Creates a detailed window from `window`, its intervals `series` and their quality. Without `limits`, values are returned
  /// whatever the quality.
  init(_ window: HRVWindow, of series: NNSeries, quality: StretchQuality, limits: ArtifactLimits?) {
    raw = window
    self.series = series
    self.quality = quality
    self.limits = limits
  }

  /// The window without its unreliable values.
  package var window: HRVWindow {
    guard limits != nil else { return raw }
    var window = raw
    window.artifactShare = quality.artifactShare
    window.metrics = judged(HRVMetrics(timeDomain: raw.metrics)).timeDomain
    return window
  }

  /// Computes all metrics without the unreliable values. Takes some milliseconds for five minutes of intervals.
  package func metrics() -> HRVMetrics {
    var accumulator = SeriesAccumulator()
    accumulator.add(series)
    return judged(accumulator.metrics(timeDomain: raw.metrics))
  }

  private func judged(_ metrics: HRVMetrics) -> HRVMetrics {
    guard let limits else { return metrics }
    var metrics = metrics
    metrics.judge(quality, limits: limits)
    return metrics
  }
}

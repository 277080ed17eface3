import TachogramCore

/// A window with the intervals that it is of. The metrics that cost more than a beat may are computed from it, whenever
/// and wherever there is time for them.
package struct DetailedWindow: Sendable {
  private let raw: HRVWindow
  private let series: NNSeries
  private let quality: StretchQuality
  private let limits: ArtifactLimits?

  /// The `window` of the intervals of `series`, which are of this quality. Without `limits`, values are given whatever it is.
  init(_ window: HRVWindow, of series: NNSeries, quality: StretchQuality, limits: ArtifactLimits?) {
    raw = window
    self.series = series
    self.quality = quality
    self.limits = limits
  }

  /// The window, without those of its values that say too little.
  package var window: HRVWindow {
    guard limits != nil else { return raw }
    var window = raw
    window.artifactShare = quality.artifactShare
    window.metrics = judged(HRVMetrics(timeDomain: raw.metrics)).timeDomain
    return window
  }

  /// All metrics, without the values that say too little: some milliseconds of computing for five minutes.
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

/// The metrics of one stretch of intervals: each has a value, or a reason why the value is unavailable.
package struct HRVMetrics: Hashable, Sendable {
  package private(set) var timeDomain: TimeDomainMetrics
  private var further: [HRVMetric: Measured] = [:]

  package init(timeDomain: TimeDomainMetrics) {
    self.timeDomain = timeDomain
  }

  /// The metrics in this collection, with or without a value.
  package var names: [HRVMetric] {
    HRVMetric.timeDomain + HRVMetric.allCases.filter { further[$0] != nil }
  }

  /// The value of a metric, or `nil` if it has none.
  package subscript(metric: HRVMetric) -> Double? {
    further[metric]?.value ?? timeDomain[metric]
  }

  /// Returns the reason why a metric has no value, or `nil` if it has a value or is not in this collection.
  package func reason(for metric: HRVMetric) -> UnavailableReason? {
    switch further[metric] {
    case .missing(let reason): reason
    case .value: nil
    case nil: timeDomain.reason(for: metric)
    }
  }

  /// Sets a metric that is not a time-domain metric.
  package mutating func set(_ metric: HRVMetric, _ measured: Measured) {
    further[metric] = measured
  }

  /// Removes the values that are unreliable in a stretch of this quality. A stretch that is refused for its rhythm keeps its
  /// mean interval and mean heart rate.
  package mutating func judge(_ quality: StretchQuality, limits: ArtifactLimits) {
    for (metric, measured) in further {
      let limit = limits.limit(for: metric)
      guard let refusal = quality.refusal(above: limit, irregular: limits.irregular) else { continue }
      // “All intervals are gaps” is a more precise reason than “no intervals”.
      if measured.value != nil || measured == .missing(.noIntervals) { further[metric] = .missing(refusal) }
    }
    guard let refusal = quality.refusal(above: limits.other, irregular: limits.irregular) else { return }
    let isOfRhythm =
      switch refusal {
      case .irregularRhythm, .repeatedIntervals: true
      default: false
      }
    timeDomain.refuse(refusal, keepingMean: isOfRhythm)
  }
}

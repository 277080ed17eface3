/// All that is said of one stretch of intervals: each metric with its value, or with the reason why it has none.
package struct HRVMetrics: Hashable, Sendable {
  package private(set) var timeDomain: TimeDomainMetrics
  private var further: [HRVMetric: Measured] = [:]

  package init(timeDomain: TimeDomainMetrics) {
    self.timeDomain = timeDomain
  }

  /// The metrics that are spoken of here, with or without a value.
  package var names: [HRVMetric] {
    HRVMetric.timeDomain + HRVMetric.allCases.filter { further[$0] != nil }
  }

  /// The value of a metric, when it has one.
  package subscript(metric: HRVMetric) -> Double? {
    further[metric]?.value ?? timeDomain[metric]
  }

  /// Why a metric has no value; `nil` when it has one, or is not spoken of.
  package func reason(for metric: HRVMetric) -> UnavailableReason? {
    switch further[metric] {
    case .missing(let reason): reason
    case .value: nil
    case nil: timeDomain.reason(for: metric)
    }
  }

  /// Says one metric more, which is not of the time domain.
  package mutating func set(_ metric: HRVMetric, _ measured: Measured) {
    further[metric] = measured
  }

  /// Removes the values that say too little in a stretch of this quality. What is refused for its rhythm keeps its mean.
  package mutating func judge(_ quality: StretchQuality, limits: ArtifactLimits) {
    for (metric, measured) in further {
      let limit = limits.limit(for: metric)
      guard let refusal = quality.refusal(above: limit, irregular: limits.irregular) else { continue }
      // That all intervals are gaps says more than that there are none.
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

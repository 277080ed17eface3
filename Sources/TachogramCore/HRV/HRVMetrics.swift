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

  /// Takes the values away that say too little with so many artifacts, or where so much of the rhythm is irregular; both
  /// shares 0 … 1. An irregular rhythm keeps its mean.
  package mutating func judge(artifactShare: Double, irregularShare: Double, limits: ArtifactLimits) {
    for (metric, measured) in further where measured.value != nil {
      let limit = limits.limit(for: metric)
      if artifactShare > limit {
        further[metric] = .missing(.tooManyArtifacts(share: artifactShare, limit: limit))
      } else if irregularShare > limits.irregular {
        further[metric] = .missing(.irregularRhythm(share: irregularShare))
      }
    }
    if artifactShare > limits.other {
      timeDomain.refuse(.tooManyArtifacts(share: artifactShare, limit: limits.other), keepingMean: false)
    } else if irregularShare > limits.irregular {
      timeDomain.refuse(.irregularRhythm(share: irregularShare), keepingMean: true)
    }
  }
}

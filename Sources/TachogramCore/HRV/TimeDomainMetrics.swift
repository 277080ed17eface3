/// Time-domain metrics of one stretch of NN intervals. A metric whose minimum is not met is absent, with its reason.
package struct TimeDomainMetrics: Hashable, Sendable {
  /// NN intervals.
  package var count: Int
  /// Pairs of neighbours with no gap between them.
  package var pairCount: Int
  /// Sum of the NN intervals, in ms.
  package var duration: Double
  package var values: HRVValues

  package init(count: Int, pairCount: Int, duration: Double, values: HRVValues) {
    self.count = count
    self.pairCount = pairCount
    self.duration = duration
    self.values = values
  }

  /// The value of a metric, when it has one.
  package subscript(metric: HRVMetric) -> Double? {
    switch metric {
    case .meanNN: values.meanNN
    case .meanHeartRate: values.meanHeartRate
    case .sdnn: values.sdnn
    case .rmssd: values.rmssd
    case .lnRMSSD: values.lnRMSSD
    case .sdsd: values.sdsd
    case .pnn50: values.pnn50
    case .pnn20: values.pnn20
    case .sd1: values.sd1
    case .sd2: values.sd2
    }
  }

  /// Why a metric has no value; `nil` when it has one.
  package func reason(for metric: HRVMetric) -> UnavailableReason? {
    if self[metric] != nil { return nil }
    if count == 0 { return .noIntervals }
    if duration < metric.minimumSeconds * 1000 {
      return .tooShort(seconds: duration / 1000, minimum: metric.minimumSeconds)
    }
    switch metric {
    case .meanNN, .meanHeartRate: return .tooFew(count: count, minimum: 1)
    case .sdnn: return .tooFew(count: count, minimum: 2)
    case .rmssd, .pnn50, .pnn20: return .tooFew(count: pairCount, minimum: 1)
    case .lnRMSSD: return pairCount == 0 ? .tooFew(count: 0, minimum: 1) : .noVariation
    case .sdsd, .sd1, .sd2: return .tooFew(count: pairCount, minimum: 2)
    }
  }

  /// Whether SDNN comes from an ultra-short recording, below 240 s, and is not comparable with 5-minute norms.
  package var isUltraShort: Bool { duration < 240_000 }
}

/// The time-domain metrics of one stretch of NN intervals. A metric whose minimum duration or count is not met has no value,
/// but a reason.
package struct TimeDomainMetrics: Hashable, Sendable {
  /// NN intervals.
  package var count: Int
  /// The number of pairs of neighbours with no gap between them.
  package var pairCount: Int
  /// The sum of the NN intervals, in ms.
  package var duration: Double
  package var values: HRVValues
  /// The reason why computed values were removed, or `nil` if none were.
  package private(set) var refusal: UnavailableReason?

  @inlinable
  package init(count: Int, pairCount: Int, duration: Double, values: HRVValues) {
    self.count = count
    self.pairCount = pairCount
    self.duration = duration
    self.values = values
  }

  /// The value of a metric, or `nil` if it has none or is not a time-domain metric.
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
    default: nil
    }
  }

  /// Removes the values for a reason. With `keepingMean`, the mean interval and the mean heart rate are kept.
  package mutating func refuse(_ reason: UnavailableReason, keepingMean: Bool) {
    let kept = values
    values = HRVValues()
    if keepingMean { (values.meanNN, values.meanHeartRate) = (kept.meanNN, kept.meanHeartRate) }
    // Without intervals there is no value to remove, but `reason` is more precise than `noIntervals`.
    if kept != values || count == 0 { refusal = reason }
  }

  /// Returns the reason why a metric has no value, or `nil` if it has a value or is not a time-domain metric.
  package func reason(for metric: HRVMetric) -> UnavailableReason? {
    if self[metric] != nil || !HRVMetric.timeDomain.contains(metric) { return nil }
    if let reason = cause(for: metric) { return reason }
    return refusal
  }

  /// Returns the unmet requirement of a metric, or `nil` if all requirements are met.
  private func cause(for metric: HRVMetric) -> UnavailableReason? {
    if count == 0 { return refusal ?? .noIntervals }
    if duration < metric.minimumSeconds * 1000 {
      return .tooShort(seconds: duration / 1000, minimum: metric.minimumSeconds)
    }
    switch metric {
    case .meanNN, .meanHeartRate: return nil
    case .sdnn: return count < 2 ? .tooFew(count: count, minimum: 2) : nil
    case .rmssd, .pnn50, .pnn20: return pairCount < 1 ? .tooFew(count: pairCount, minimum: 1) : nil
    case .lnRMSSD: return pairCount == 0 ? .tooFew(count: 0, minimum: 1) : refusal == nil ? .noVariation : nil
    default: return pairCount < 2 ? .tooFew(count: pairCount, minimum: 2) : nil
    }
  }

  /// Whether SDNN comes from an ultra-short recording, below 240 s, and is not comparable with 5-minute norms.
  package var isUltraShort: Bool { duration < 240_000 }
}

/// The metrics of heart-rate variability, by the names that reports and the database use. docs/metrics.md defines them.
package enum HRVMetric: String, Hashable, Sendable, CaseIterable {
  // Computed from sums alone.
  case meanNN, meanHeartRate, sdnn, rmssd, lnRMSSD, sdsd, pnn50, pnn20, sd1, sd2
  // Computed from the distribution of the intervals.
  case triangularIndex, baevskyStressIndex
  // Computed from the spectrum.
  case vlf, lf, hf, totalPower, lfhf, respirationRate
  // Computed from the order of the intervals.
  case dfaAlpha1, sampleEntropy, decelerationCapacity
  // Computed from the 5-minute segments of a long recording.
  case sdann, sdnnIndex

  /// The metrics that follow from sums, and therefore cost O(1) per beat in every window.
  package static let timeDomain: [HRVMetric] = [
    .meanNN, .meanHeartRate, .sdnn, .rmssd, .lnRMSSD, .sdsd, .pnn50, .pnn20, .sd1, .sd2,
  ]
  /// The metrics that are computed from the intervals of one stretch.
  package static let ofSeries: [HRVMetric] = [
    .triangularIndex, .baevskyStressIndex, .vlf, .lf, .hf, .totalPower, .lfhf, .respirationRate, .dfaAlpha1,
    .sampleEntropy, .decelerationCapacity,
  ]
  /// The metrics that compare segments.
  package static let ofSegments: [HRVMetric] = [.sdann, .sdnnIndex]

  /// The shortest sum of NN intervals, in seconds, over which the metric is published. Sample entropy needs 200 beats,
  /// however long they take.
  @inlinable
  package var minimumSeconds: Double {
    switch self {
    case .sampleEntropy: 0
    case .meanNN, .meanHeartRate: 10
    case .rmssd, .lnRMSSD, .sdsd: 30
    case .sdnn, .pnn50, .pnn20, .sd1, .sd2, .baevskyStressIndex, .hf, .respirationRate: 60
    case .lf, .lfhf, .dfaAlpha1: 120
    case .vlf, .totalPower, .decelerationCapacity: 300
    case .sdann, .sdnnIndex: 600
    case .triangularIndex: 1200
    }
  }

  /// Whether the metric depends on the order and the timing of many intervals, so that even a few artifacts distort it.
  package var isOfOrder: Bool {
    switch self {
    case .vlf, .lf, .hf, .totalPower, .lfhf, .respirationRate, .dfaAlpha1: true
    default: false
    }
  }
}

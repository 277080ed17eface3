/// The metrics of heart-rate variability, by the names that reports and the database use. docs/metrics.md defines them.
package enum HRVMetric: String, Hashable, Sendable, CaseIterable {
  // Of sums alone.
  case meanNN, meanHeartRate, sdnn, rmssd, lnRMSSD, sdsd, pnn50, pnn20, sd1, sd2
  // Of how the intervals are distributed.
  case triangularIndex, baevskyStressIndex
  // Of the spectrum.
  case vlf, lf, hf, totalPower, lfhf, respirationRate
  // Of the order of the intervals.
  case dfaAlpha1, sampleEntropy, decelerationCapacity
  // Of the 5-minute segments of a long recording.
  case sdann, sdnnIndex

  /// Those that follow from sums, and so cost O(1) a beat in every window.
  package static let timeDomain: [HRVMetric] = [
    .meanNN, .meanHeartRate, .sdnn, .rmssd, .lnRMSSD, .sdsd, .pnn50, .pnn20, .sd1, .sd2,
  ]
  /// Those that are computed from the intervals of one stretch.
  package static let ofSeries: [HRVMetric] = [
    .triangularIndex, .baevskyStressIndex, .vlf, .lf, .hf, .totalPower, .lfhf, .respirationRate, .dfaAlpha1,
    .sampleEntropy, .decelerationCapacity,
  ]
  /// Those that compare segments.
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

  /// Whether the metric is of the order and the timing of many intervals, so that few artifacts already spoil it.
  package var isOfOrder: Bool {
    switch self {
    case .vlf, .lf, .hf, .totalPower, .lfhf, .respirationRate, .dfaAlpha1: true
    default: false
    }
  }
}

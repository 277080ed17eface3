/// The metrics of heart-rate variability, by the names that reports and the database use.
package enum HRVMetric: String, Hashable, Sendable, CaseIterable {
  case meanNN, meanHeartRate, sdnn, rmssd, lnRMSSD, sdsd, pnn50, pnn20, sd1, sd2

  /// The shortest sum of NN intervals, in seconds, over which the metric is published.
  package var minimumSeconds: Double {
    switch self {
    case .meanNN, .meanHeartRate: 10
    case .rmssd, .lnRMSSD, .sdsd: 30
    case .sdnn, .pnn50, .pnn20, .sd1, .sd2: 60
    }
  }
}

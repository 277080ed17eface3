import TachogramCore

/// Related metrics in readable reports.
enum MetricGroup: CaseIterable {
  case timeDomain, poincare, segments, distribution, spectrum, order

  var label: String {
    switch self {
    case .timeDomain: "Time domain"
    case .poincare: "Poincaré"
    case .segments: "Segments"
    case .distribution: "Distribution"
    case .spectrum: "Spectrum"
    case .order: "Order"
    }
  }

  var metrics: [HRVMetric] {
    switch self {
    case .timeDomain: [.meanNN, .meanHeartRate, .sdnn, .rmssd, .lnRMSSD, .sdsd, .pnn50, .pnn20]
    case .poincare: [.sd1, .sd2]
    case .segments: [.sdann, .sdnnIndex]
    case .distribution: [.triangularIndex, .baevskyStressIndex]
    case .spectrum: [.vlf, .lf, .hf, .totalPower, .lfhf, .respirationRate]
    case .order: [.dfaAlpha1, .sampleEntropy, .decelerationCapacity]
    }
  }
}

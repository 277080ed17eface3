/// The inputs of the networks, in their order. Raw values are the names in SleepECG 0.6.0.
package enum SleepECGFeature: String, Hashable, Sendable, CaseIterable {
  // Intervals in s, heart rates in beats per minute.
  case meanNN, maxNN, minNN, rangeNN
  case sdnn = "SDNN"
  case rmssd = "RMSSD"
  case sdsd = "SDSD"
  case nn50 = "NN50"
  case nn20 = "NN20"
  /// A fraction 0 … 1, of the largest number of pairs in a window of the night.
  case pnn50 = "pNN50"
  case pnn20 = "pNN20"
  case medianNN, madNN, iqrNN, cvNN, cvSD, meanHR, maxHR, minHR, stdHR
  case sd1 = "SD1"
  case sd2 = "SD2"
  case s = "S"
  case sd1sd2Ratio = "SD1_SD2_ratio"
  case csi = "CSI"
  case cvi = "CVI"
  // Powers in s², shares in percent.
  case totalPower = "total_power"
  case vlf = "VLF"
  case lf = "LF"
  case lfNorm = "LF_norm"
  case hf = "HF"
  case hfNorm = "HF_norm"
  case lfhfRatio = "LF_HF_ratio"
  /// Seconds since midnight.
  case recordingStartTime = "recording_start_time"
  /// Years.
  case age
  /// 0 female, 1 male.
  case gender

  /// The features that are computed from intervals; the others are those of the sleeper.
  package static let ofIntervals = Array(allCases.prefix { $0 != .recordingStartTime })
}

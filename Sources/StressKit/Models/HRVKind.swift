/// Which metric stands for "HRV" in a baseline or a stress level. The two are never mixed.
public enum HRVKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// SDNN, as HealthKit's HRV is; the default.
  case sdnn
  case rmssd
}

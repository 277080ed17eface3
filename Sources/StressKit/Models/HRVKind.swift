/// The metric that "HRV" means in a baseline or a stress level. The two metrics are never mixed.
public enum HRVKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// SDNN, the metric of HealthKit; the default.
  case sdnn
  case rmssd
}

/// The four bands of a stress level.
package enum StressCategory: String, Hashable, Sendable, CaseIterable, Codable {
  /// 0 up to 25.
  case relaxed
  /// 25 up to 50.
  case mild
  /// 50 up to 75.
  case moderate
  /// 75 to 100.
  case high

  /// The band of a level; levels outside 0 … 100 belong to the nearest band.
  package init(level: Double) {
    switch level {
    case ..<25: self = .relaxed
    case ..<50: self = .mild
    case ..<75: self = .moderate
    default: self = .high
    }
  }
}

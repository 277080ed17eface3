/// The mood that the character shows for a stress level.
public enum StressBuddyMood: String, Hashable, Sendable, CaseIterable, Codable {
  /// Below 10.
  case sleeping
  /// 10 up to 25.
  case calm
  /// 25 up to 50.
  case concerned
  /// 50 up to 75.
  case worried
  /// 75 and above.
  case overwhelmed

  /// The mood of a level.
  public static func from(stressLevel level: Double) -> StressBuddyMood { StressBuddyMood(level: level) }

  /// The mood of a level.
  public init(level: Double) {
    switch level {
    case ..<10: self = .sleeping
    case ..<25: self = .calm
    case ..<50: self = .concerned
    case ..<75: self = .worried
    default: self = .overwhelmed
    }
  }
}

/// The four bands of a stress level, and their presentation on the page and in the terminal, which never relies on colour
/// alone.
public enum StressCategory: String, Hashable, Sendable, CaseIterable, Codable {
  /// 0 up to 25.
  case relaxed
  /// 25 up to 50.
  case mild
  /// 50 up to 75.
  case moderate
  /// 75 to 100.
  case high

  /// The fill pattern of a band.
  public enum Fill: Hashable, Sendable, CaseIterable {
    case solid, diagonal, dots, crosshatch
  }

  /// A colour as `#RRGGBB`, for light and dark backgrounds.
  public struct Colour: Hashable, Sendable {
    /// The colour on a light background.
    public let light: String
    /// The colour on a dark background.
    public let dark: String
  }

  /// The band of a level; levels outside 0 … 100 belong to the nearest band.
  public init(level: Double) {
    self = Self.allCases.last { !(level < $0.from) } ?? .relaxed
  }

  /// The level at which the band begins.
  public var from: Double {
    switch self {
    case .relaxed: 0
    case .mild: 25
    case .moderate: 50
    case .high: 75
    }
  }

  /// The level at which the next band begins; 100 for the last.
  public var to: Double { Self.allCases.first { $0.from > from }?.from ?? 100 }

  // MARK: - Signs

  /// The name of the band.
  public var displayName: String {
    switch self {
    case .relaxed: "Relaxed"
    case .mild: "Mild"
    case .moderate: "Moderate"
    case .high: "High"
    }
  }

  /// The number of filled quarters of the icon, a disc.
  public var filledQuarters: Int {
    switch self {
    case .relaxed: 0
    case .mild: 1
    case .moderate: 2
    case .high: 4
    }
  }

  /// The fill pattern.
  public var fill: Fill {
    switch self {
    case .relaxed: .solid
    case .mild: .diagonal
    case .moderate: .dots
    case .high: .crosshatch
    }
  }

  /// The fill pattern in words.
  public var pattern: String {
    switch self {
    case .relaxed: "solid fill"
    case .mild: "diagonal lines"
    case .moderate: "dots pattern"
    case .high: "crosshatch lines"
    }
  }

  /// The name of the SF Symbol that the apps show.
  public var icon: String {
    switch self {
    case .relaxed: "leaf.fill"
    case .mild: "circle.fill"
    case .moderate: "triangle.fill"
    case .high: "square.fill"
    }
  }

  /// The colour that the apps use.
  public var colour: Colour {
    switch self {
    case .relaxed: Colour(light: "#34c759", dark: "#30d158")
    case .mild: Colour(light: "#007aff", dark: "#0a84ff")
    case .moderate: Colour(light: "#ffd60a", dark: "#ffd60a")
    case .high: Colour(light: "#ff9500", dark: "#ff9f0a")
    }
  }

  // MARK: - For those who do not see it

  /// The description of the band for VoiceOver and other screen readers.
  public var accessibilityDescription: String {
    "\(displayName) stress, from \(Int(from)) to \(Int(to)) out of 100"
  }

  /// The text of a level of this band for screen readers, such as "60 out of 100, moderate stress".
  public func accessibilityValue(level: Double) -> String {
    let shown = level.isFinite ? "\(Int(min(100, max(0, level)).rounded()))" : "unknown"
    return "\(shown) out of 100, \(rawValue) stress"
  }
}

/// The four bands of a stress level, and how each is shown: on the page and in the terminal alike, never by its colour
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

  /// What a band is filled with.
  public enum Fill: Hashable, Sendable, CaseIterable {
    case solid, diagonal, dots, crosshatch
  }

  /// A colour as `#RRGGBB`, on light and on dark ground.
  public struct Colour: Hashable, Sendable {
    /// On light ground.
    public let light: String
    /// On dark ground.
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

  /// Its name.
  public var displayName: String {
    switch self {
    case .relaxed: "Relaxed"
    case .mild: "Mild"
    case .moderate: "Moderate"
    case .high: "High"
    }
  }

  /// How many quarters of the icon, a disc, are filled.
  public var filledQuarters: Int {
    switch self {
    case .relaxed: 0
    case .mild: 1
    case .moderate: 2
    case .high: 4
    }
  }

  /// What it is filled with.
  public var fill: Fill {
    switch self {
    case .relaxed: .solid
    case .mild: .diagonal
    case .moderate: .dots
    case .high: .crosshatch
    }
  }

  /// What it is filled with, in words.
  public var pattern: String {
    switch self {
    case .relaxed: "solid fill"
    case .mild: "diagonal lines"
    case .moderate: "dots pattern"
    case .high: "crosshatch lines"
    }
  }

  /// The symbol that the apps show, by its name among Apple's.
  public var icon: String {
    switch self {
    case .relaxed: "leaf.fill"
    case .mild: "circle.fill"
    case .moderate: "triangle.fill"
    case .high: "square.fill"
    }
  }

  /// The colour of the apps for it.
  public var colour: Colour {
    switch self {
    case .relaxed: Colour(light: "#34c759", dark: "#30d158")
    case .mild: Colour(light: "#007aff", dark: "#0a84ff")
    case .moderate: Colour(light: "#ffd60a", dark: "#ffd60a")
    case .high: Colour(light: "#ff9500", dark: "#ff9f0a")
    }
  }

  // MARK: - For those who do not see it

  /// What it says to who hears it.
  public var accessibilityDescription: String {
    "\(displayName) stress, from \(Int(from)) to \(Int(to)) out of 100"
  }

  /// What a level of it says to who hears it, as in "60 out of 100, moderate stress".
  public func accessibilityValue(level: Double) -> String {
    let shown = level.isFinite ? "\(Int(min(100, max(0, level)).rounded()))" : "unknown"
    return "\(shown) out of 100, \(rawValue) stress"
  }
}

/// The four bands of a stress level, and how each is shown: on the page and in the terminal alike, never by its colour
/// alone.
package enum StressCategory: String, Hashable, Sendable, CaseIterable, Codable {
  /// 0 up to 25.
  case relaxed
  /// 25 up to 50.
  case mild
  /// 50 up to 75.
  case moderate
  /// 75 to 100.
  case high

  /// What a band is filled with.
  package enum Pattern: Hashable, Sendable, CaseIterable {
    case solid, diagonal, dots, crosshatch
  }

  /// A colour as `#RRGGBB`, on light and on dark ground.
  package struct Colour: Hashable, Sendable {
    package let light: String
    package let dark: String
  }

  /// The band of a level; levels outside 0 … 100 belong to the nearest band.
  package init(level: Double) {
    self = Self.allCases.last { !(level < $0.from) } ?? .relaxed
  }

  /// The level at which the band begins.
  package var from: Double {
    switch self {
    case .relaxed: 0
    case .mild: 25
    case .moderate: 50
    case .high: 75
    }
  }

  // MARK: - Signs

  package var word: String {
    switch self {
    case .relaxed: "Relaxed"
    case .mild: "Mild"
    case .moderate: "Moderate"
    case .high: "High"
    }
  }

  /// How many quarters of the icon, a disc, are filled.
  package var filledQuarters: Int {
    switch self {
    case .relaxed: 0
    case .mild: 1
    case .moderate: 2
    case .high: 4
    }
  }

  package var pattern: Pattern {
    switch self {
    case .relaxed: .solid
    case .mild: .diagonal
    case .moderate: .dots
    case .high: .crosshatch
    }
  }

  package var colour: Colour {
    switch self {
    case .relaxed: Colour(light: "#34c759", dark: "#30d158")
    case .mild: Colour(light: "#007aff", dark: "#0a84ff")
    case .moderate: Colour(light: "#ffd60a", dark: "#ffd60a")
    case .high: Colour(light: "#ff9500", dark: "#ff9f0a")
    }
  }
}

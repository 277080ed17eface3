import StressKit

/// The colours of a look, as `#rrggbb`. They are those of the page and of `StressCategory`. Texts have a contrast of at least
/// 4.5:1 with every background (WCAG 2.2, 1.4.3) and shapes with a meaning of 3:1 (1.4.11). The colours of the apps have less
/// on white, so that bands have a darker edge and pattern there. Track, grid, area and border are decoration.
struct GlancePalette: Hashable, Sendable {
  /// The colours of a band of stress levels.
  struct Band: Hashable, Sendable {
    /// The background of the pattern.
    var fill: String
    /// The lines or dots of the pattern.
    var ink: String
    /// The edge of shapes with the pattern.
    var edge: String
  }

  /// The background.
  var surface: String
  /// The border of the background.
  var border: String
  /// The ring behind the arc.
  var track: String
  /// The edges of that ring.
  var trackEdge: String
  /// The grid of charts.
  var grid: String
  /// Values, and icons of categories.
  var text: String
  /// Labels, and values that are stale.
  var muted: String
  /// The words of a state that is not current.
  var notice: String
  /// The heart, and the line of the heart rate.
  var heart: String
  /// The line of the stress level.
  var stress: String
  /// The area below that line.
  var area: String
  /// The band of a stale level.
  var stale: Band
  private var bands: [StressCategory: Band]

  /// Returns the colours of a band.
  func band(_ category: StressCategory, isCurrent: Bool) -> Band {
    isCurrent ? bands[category] ?? stale : stale
  }

  // MARK: - Looks

  /// The opacity of the colour of the band at the top of the background, 0 … 1, except in monochrome looks.
  static let tint = 0.13

  static let light = GlancePalette(
    surface: "#fffefc", border: "#e2ddd2", track: "#f1eee7", trackEdge: "#e2ddd2", grid: "#e2ddd2", text: "#1c2326",
    muted: "#566067", notice: "#7a4b00", heart: "#b3304a", stress: "#17586b", area: "#dfe9ea",
    stale: Band(fill: "#d9d8d4", ink: "#6f7679", edge: "#6f7679"),
    bands: bands(\.light, inks: [.relaxed: "#1a632c", .mild: "#003066", .moderate: "#7f6b05", .high: "#7f4a00"]))

  static let dark = GlancePalette(
    surface: "#181d20", border: "#2d363b", track: "#2a3338", trackEdge: "#2a3338", grid: "#2d363b", text: "#eaeef0",
    muted: "#a5b0b7", notice: "#f2c26b", heart: "#ff8da1", stress: "#86cbdd", area: "#25343a",
    stale: Band(fill: "#3a444a", ink: "#98a3aa", edge: "#98a3aa"),
    bands: bands(
      \.dark, inks: [.relaxed: "#18682c", .mild: "#043466", .moderate: "#7f6b05", .high: "#7f4f05"], hasDarkEdge: false)
  )

  static let eInk = GlancePalette(
    surface: "#ffffff", border: "#000000", track: "#ffffff", trackEdge: "#000000", grid: "#000000", text: "#000000",
    muted: "#000000", notice: "#000000", heart: "#000000", stress: "#000000", area: "#ffffff",
    stale: Band(fill: "#ffffff", ink: "#000000", edge: "#000000"),
    bands: Dictionary(
      uniqueKeysWithValues: StressCategory.allCases.map { category in
        let isSolid = category.fill == .solid
        return (category, Band(fill: isSolid ? "#000000" : "#ffffff", ink: "#000000", edge: "#000000"))
      }))

  /// Returns the bands with the colours of the apps; in dark looks the fill itself is distinct from the background.
  private static func bands(
    _ colour: KeyPath<StressCategory.Colour, String>, inks: [StressCategory: String], hasDarkEdge: Bool = true
  ) -> [StressCategory: Band] {
    inks.reduce(into: [:]) { bands, ink in
      let fill = ink.key.colour[keyPath: colour]
      bands[ink.key] = Band(fill: fill, ink: ink.value, edge: hasDarkEdge ? ink.value : fill)
    }
  }
}

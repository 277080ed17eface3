import StressKit

/// The style sheet of a picture. It uses only class selectors and one media query, so that librsvg and resvg understand it as
/// well as browsers.
struct GlanceStyle {
  /// The fonts of the page; the names of fonts need no quotes. Raleway's own figures are of different heights and widths.
  private static let fonts = "Raleway,Avenir Next,Segoe UI,Roboto,Noto Sans,Helvetica Neue,Arial,sans-serif"

  let look: GlanceLook
  /// The band of the level; `nil` without a level.
  let category: StressCategory?
  let isCurrent: Bool
  /// Whether the family has charts.
  let hasCharts: Bool

  /// The style sheet.
  var text: String {
    let base = "text{font-family:\(Self.fonts);font-variant-numeric:lining-nums tabular-nums}.strong{font-weight:600}"
    let line = hasCharts ? ".line{fill:none;stroke-linecap:round;stroke-linejoin:round}" : ""
    let colours =
      switch look {
      case .light: colours(.light)
      case .dark: colours(.dark)
      case .eInk: colours(.eInk)
      case .auto: colours(.light) + "@media(prefers-color-scheme:dark){\(colours(.dark))}"
      }
    return base + line + colours
  }

  /// Whether the look has only black and white.
  var isMonochrome: Bool { look == .eInk }

  private func colours(_ palette: GlancePalette) -> String {
    var rules =
      ".card{fill:\(palette.surface);stroke:\(palette.border)}.text{fill:\(palette.text)}.muted{fill:\(palette.muted)}"
      + ".notice{fill:\(palette.notice)}.heart{fill:\(palette.heart)}"
      + ".track{fill:\(palette.track);stroke:\(palette.trackEdge)}"
    if hasCharts {
      // Black lines of a grid would hide the line of the values.
      let dashes = isMonochrome ? ";stroke-dasharray:1 3" : ""
      rules +=
        ".grid{stroke:\(palette.grid)\(dashes)}.area{fill:\(palette.area)}.stress{stroke:\(palette.stress)}"
        + ".rate{stroke:\(palette.heart)}"
    }
    guard let category else { return rules }
    let band = palette.band(category, isCurrent: isCurrent)
    rules += ".fill{fill:\(band.fill)}.edge{stroke:\(band.edge)}"
    switch category.fill {
    case .solid: break
    case .dots: rules += ".ink{fill:\(band.ink)}"
    case .diagonal, .crosshatch: rules += ".ink{stroke:\(band.ink)}"
    }
    return isCurrent && !isMonochrome ? rules + ".tint{stop-color:\(band.fill)}" : rules
  }
}

import StressKit

/// The picture of a glance: title, description, style, background and the drawing of its family.
struct GlancePicture {
  let content: GlanceContent
  let summary: GlanceSummary
  let family: GlanceFamily
  let look: GlanceLook

  private var wording: GlanceWording { GlanceWording(content: content) }
  private var category: StressCategory? { content.reading?.stress?.category }
  private var style: GlanceStyle {
    GlanceStyle(look: look, category: category, isCurrent: content.state == .current, hasCharts: family.hours > 0)
  }
  private var hasTint: Bool { category != nil && content.state == .current && !style.isMonochrome }

  /// The picture as an SVG document.
  var text: String {
    let (width, height) = (SVGPath.number(family.width), SVGPath.number(family.height))
    let picture = SVGElement(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"), ("width", width), ("height", height),
        ("viewBox", "0 0 \(width) \(height)"),
        ("role", "img"), ("aria-labelledby", "title desc"),
      ],
      children: [
        SVGElement("title", [("id", "title")], wording.title),
        SVGElement("desc", [("id", "desc")], wording.description(family, summary)),
        SVGElement("style", [], style.text),
      ] + definitions + background + drawing)
    var text = ""
    picture.write(to: &text)
    return text
  }

  // MARK: - Background

  private var definitions: [SVGElement] {
    guard let category else { return [] }
    var children = [GlanceRing.pattern(category)]
    if hasTint {
      children.append(
        SVGElement(
          "linearGradient", [("id", "tint"), ("x1", "0"), ("y1", "0"), ("x2", "0.4"), ("y2", "1")],
          children: [
            SVGElement("stop", [("class", "tint"), ("offset", "0"), ("stop-opacity", "\(GlancePalette.tint)")]),
            SVGElement("stop", [("class", "tint"), ("offset", "0.7"), ("stop-opacity", "0")]),
          ]))
    }
    return [SVGElement("defs", [], children: children)]
  }

  private var background: [SVGElement] {
    hasTint ? [card(("class", "card")), card(("fill", "url(#tint)"))] : [card(("class", "card"))]
  }

  private func card(_ look: (StaticString, String)) -> SVGElement {
    let (width, height) = (family.width - 1, family.height - 1)
    let radius =
      switch family {
      case .small, .medium, .large, .rectangular: 22.0
      case .circular, .inline: height / 2
      }
    let size = [SVGPath.number(width), SVGPath.number(height), SVGPath.number(radius)]
    return SVGElement(
      "rect", [look, ("x", "0.5"), ("y", "0.5"), ("width", size[0]), ("height", size[1]), ("rx", size[2])])
  }

  // MARK: - Drawing

  private var drawing: [SVGElement] {
    var canvas = GlanceCanvas()
    let isMonochrome = style.isMonochrome
    switch family {
    case .small: SmallGlance(wording: wording, isMonochrome: isMonochrome).draw(on: &canvas)
    case .medium: MediumGlance(wording: wording, summary: summary, isMonochrome: isMonochrome).draw(on: &canvas)
    case .large: LargeGlance(wording: wording, summary: summary, isMonochrome: isMonochrome).draw(on: &canvas)
    case .circular: CircularGlance(wording: wording, isMonochrome: isMonochrome).draw(on: &canvas)
    case .rectangular: RectangularGlance(wording: wording, isMonochrome: isMonochrome).draw(on: &canvas)
    case .inline: InlineGlance(wording: wording, isMonochrome: isMonochrome).draw(on: &canvas)
    }
    return canvas.elements
  }
}

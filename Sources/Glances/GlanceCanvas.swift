/// The drawing of a glance: texts, icons and names at places.
struct GlanceCanvas {
  /// Where a text is relative to its place.
  enum Anchor: String {
    case start, middle, end
  }

  private(set) var elements: [SVGElement] = []

  mutating func append(_ element: SVGElement) { elements.append(element) }

  mutating func append(_ more: [SVGElement]) { elements += more }

  /// Adds a text with its baseline at a point, and returns its width.
  @discardableResult
  mutating func text(
    _ x: Double, _ y: Double, _ text: String, size: Double, style: String = "text", isStrong: Bool = false,
    anchor: Anchor = .start
  ) -> Double {
    elements.append(Self.element(x, y, text, size: size, style: style, isStrong: isStrong, anchor: anchor))
    return TextWidth.of(text, size: size, isBold: isStrong)
  }

  /// Adds a name within a width. What its font draws beyond that is clipped.
  mutating func name(_ x: Double, _ y: Double, _ name: GlanceName, size: Double, width: Double) {
    let text = Self.element(0, size, name.shortened(to: width, size: size), size: size, style: "text", isStrong: true)
    elements.append(
      SVGElement(
        "svg",
        [
          ("x", SVGPath.number(x)), ("y", SVGPath.number(y - size)), ("width", SVGPath.number(width)),
          ("height", SVGPath.number(size * 1.4)), ("overflow", "hidden"),
        ], children: [text]))
  }

  /// Adds an icon with its middle at a point.
  mutating func icon(_ icon: GlanceIcon, _ x: Double, _ y: Double, size: Double, style: String = "text") {
    elements.append(icon.element(x, y, size: size, style: style))
  }

  /// Adds an icon and a text behind it, with its baseline at a point, and returns the width of both.
  @discardableResult
  mutating func label(
    _ x: Double, _ y: Double, _ icon: GlanceIcon, _ text: String, size: Double, style: String = "text",
    iconStyle: String? = nil, anchor: Anchor = .start
  ) -> Double {
    let gap = size * 0.35
    let width = size + gap + TextWidth.of(text, size: size, isBold: true)
    let left =
      switch anchor {
      case .start: x
      case .middle: x - width / 2
      case .end: x - width
      }
    // The icon is centred at the height of capitals, 0.73 of the font size.
    self.icon(icon, left + size / 2, y - size * 0.365, size: size, style: iconStyle ?? style)
    self.text(left + size + gap, y, text, size: size, style: style, isStrong: true)
    return width
  }

  private static func element(
    _ x: Double, _ y: Double, _ text: String, size: Double, style: String, isStrong: Bool, anchor: Anchor = .start
  ) -> SVGElement {
    let classes = style + (isStrong ? " strong" : "")
    let (x, y, size) = (SVGPath.number(x), SVGPath.number(y), SVGPath.number(size))
    guard anchor != .start else {
      return SVGElement("text", [("class", classes), ("x", x), ("y", y), ("font-size", size)], text)
    }
    return SVGElement(
      "text", [("class", classes), ("x", x), ("y", y), ("font-size", size), ("text-anchor", anchor.rawValue)], text)
  }
}

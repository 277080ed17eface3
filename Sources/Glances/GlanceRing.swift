import StressKit

/// The ring of a stress level: an arc from the top, as long as the level, in the colour and pattern of its category.
struct GlanceRing {
  /// The middle.
  let x: Double
  let y: Double
  /// The radius of the middle of the arc.
  let radius: Double
  /// The width of the arc.
  let width: Double

  /// Returns the ring of a stress level; without one, an empty ring.
  func elements(_ stress: GlanceStress?, isCurrent: Bool, isMonochrome: Bool) -> [SVGElement] {
    var track = SVGPath()
    track.circle(x, y, radius: radius + width / 2)
    track.circle(x, y, radius: radius - width / 2)
    let ring = SVGElement(
      "path",
      [("class", "track"), ("stroke-width", isMonochrome ? "0.8" : "0.5"), ("fill-rule", "evenodd"), ("d", track.text)])
    guard let stress else { return [ring] }
    return [
      ring,
      Self.shape(arc(stress.level / 100), isCurrent: isCurrent, edge: isMonochrome ? "1.5" : "1"),
    ]
  }

  /// Returns a shape with the pattern of the category. The edge of a stale level is dashed.
  static func shape(_ data: String, isCurrent: Bool, edge: String) -> SVGElement {
    guard !isCurrent else {
      return SVGElement(
        "path",
        [("class", "edge"), ("fill", "url(#pattern)"), ("stroke-width", edge), ("fill-rule", "evenodd"), ("d", data)])
    }
    return SVGElement(
      "path",
      [
        ("class", "edge"), ("fill", "url(#pattern)"), ("stroke-width", edge), ("stroke-dasharray", "3 2"),
        ("fill-rule", "evenodd"), ("d", data),
      ])
  }

  /// Returns the outline of an arc with round ends, as long as `share` of the circle; at least a disc.
  private func arc(_ share: Double) -> String {
    var path = SVGPath()
    let cap = width / 2
    let (outer, inner) = (radius + cap, radius - cap)
    guard share < 0.995 else {
      path.circle(x, y, radius: outer)
      path.circle(x, y, radius: inner)
      return path.text
    }
    let start = cap / radius
    let end = share * 2 * Double.pi - start
    guard end > start else {
      let middle = CircleMaths.point(x, y, radius: radius, angle: start)
      path.circle(middle.x, middle.y, radius: cap)
      return path.text
    }
    let isLarge = end - start > Double.pi
    let corners = [(outer, start), (outer, end), (inner, end), (inner, start)].map {
      CircleMaths.point(x, y, radius: $0.0, angle: $0.1)
    }
    path.move(corners[0].x, corners[0].y)
    path.arc(radius: outer, isLarge: isLarge, isClockwise: true, corners[1].x, corners[1].y)
    path.arc(radius: cap, isClockwise: true, corners[2].x, corners[2].y)
    path.arc(radius: inner, isLarge: isLarge, isClockwise: false, corners[3].x, corners[3].y)
    path.arc(radius: cap, isClockwise: true, corners[0].x, corners[0].y)
    path.close()
    return path.text
  }

  /// Returns the pattern of a category: solid, diagonal lines, dots or crosshatched lines, as on the page.
  static func pattern(_ category: StressCategory) -> SVGElement {
    let ground = SVGElement("path", [("class", "fill"), ("d", "M0 0h5v5H0Z")])
    let ink: [SVGElement] =
      switch category.fill {
      case .solid: []
      case .diagonal: [SVGElement("path", [("class", "ink"), ("stroke-width", "1.4"), ("d", "M2.5 0v5")])]
      case .dots: [SVGElement("circle", [("class", "ink"), ("cx", "2.5"), ("cy", "2.5"), ("r", "1.2")])]
      case .crosshatch: [SVGElement("path", [("class", "ink"), ("stroke-width", "1.1"), ("d", "M2.5 0v5M0 2.5h5")])]
      }
    let (id, size, units) = ("pattern", "5", "userSpaceOnUse")
    guard category.fill == .diagonal || category.fill == .crosshatch else {
      return SVGElement(
        "pattern", [("id", id), ("width", size), ("height", size), ("patternUnits", units)], children: [ground] + ink)
    }
    return SVGElement(
      "pattern",
      [("id", id), ("width", size), ("height", size), ("patternUnits", units), ("patternTransform", "rotate(45)")],
      children: [ground] + ink)
  }
}

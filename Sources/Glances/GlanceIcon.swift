import StressKit

/// The icons of glances, drawn within 24 × 24 units.
enum GlanceIcon: Hashable, CaseIterable {
  case leaf, circle, triangle, square, heart, rising, steady, falling

  /// The icon of a category: the shape of the SF Symbol that the apps show.
  init(_ category: StressCategory) {
    switch category {
    case .relaxed: self = .leaf
    case .mild: self = .circle
    case .moderate: self = .triangle
    case .high: self = .square
    }
  }

  /// The arrow of a trend.
  init(_ direction: GlanceTrend.Direction) {
    switch direction {
    case .rising: self = .rising
    case .steady: self = .steady
    case .falling: self = .falling
    }
  }

  /// Returns the icon at a size, with its middle at a point.
  func element(_ x: Double, _ y: Double, size: Double, style: String) -> SVGElement {
    let scale = Double(Int((size / 24 * 1000).rounded())) / 1000
    let place = "translate(\(SVGPath.number(x - size / 2)) \(SVGPath.number(y - size / 2)))scale(\(scale))"
    let turn = turn.map { "rotate(\($0) 12 12)" } ?? ""
    return SVGElement("path", [("class", style), ("transform", place + turn), ("d", data)])
  }

  private var turn: Int? {
    switch self {
    case .rising: -40
    case .falling: 40
    default: nil
    }
  }

  private var data: String {
    switch self {
    case .leaf:
      "M21 3C10 2.6 3.5 7 3.5 14c0 1.6.4 3 1.2 4.2L2.5 21.3l1.7 1.2 2.2-3C7.7 20.2 9 20.5 10.3 "
        + "20.5 17.8 20.5 21.5 13 21 3ZM15.8 8.5l.5.9C12.8 11.4 10 14 7.7 17.6l-.9-.6C9.2 13.3 12.2 10.5 15.8 8.5Z"
    case .circle: "M3 12a9 9 0 0 1 18 0a9 9 0 0 1-18 0Z"
    case .triangle:
      "M12 2.8c.8 0 1.5.4 1.9 1.1l8 14.2c.8 1.5-.2 3.2-1.9 3.2H4c-1.7 0-2.7-1.7-1.9-3.2l8-14.2c.4-.7 1.1-1.1 "
        + "1.9-1.1Z"
    case .square:
      "M6 3.5h12a2.5 2.5 0 0 1 2.5 2.5v12a2.5 2.5 0 0 1-2.5 2.5H6a2.5 2.5 0 0 1-2.5-2.5V6a2.5 2.5 0 0 1 2.5-2.5Z"
    case .heart:
      "M12 20.3C6.2 16.2 3.2 13 3.2 9.3 3.2 6.6 5.3 4.5 7.9 4.5c1.7 0 3.2.9 4.1 2.3.9-1.4 2.4-2.3 4.1-2.3 2.6 0 "
        + "4.7 2.1 4.7 4.8 0 3.7-3 6.9-8.8 11Z"
    case .rising, .steady, .falling: "M3 10.4h12.3l-4.8-4.8 2.2-2.2L21.3 12l-8.6 8.6-2.2-2.2 4.8-4.8H3Z"
    }
  }
}

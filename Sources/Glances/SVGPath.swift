/// The data of an SVG path, in tenths of a unit, so that it is short and the same on every machine.
struct SVGPath {
  private(set) var text = ""

  /// Begins a line at a point.
  mutating func move(_ x: Double, _ y: Double) { text += "M\(Self.number(x)) \(Self.number(y))" }

  /// Continues the line to a point.
  mutating func line(_ x: Double, _ y: Double) { text += "L\(Self.number(x)) \(Self.number(y))" }

  /// Continues the line by a point of line width.
  mutating func dot() { text += "h0" }

  /// Continues the line along an arc of a circle to a point (SVG 1.1, section 8.3.8).
  mutating func arc(radius: Double, isLarge: Bool = false, isClockwise: Bool, _ x: Double, _ y: Double) {
    let r = Self.number(radius)
    text += "A\(r) \(r) 0 \(isLarge ? 1 : 0) \(isClockwise ? 1 : 0) \(Self.number(x)) \(Self.number(y))"
  }

  /// Adds a circle.
  mutating func circle(_ x: Double, _ y: Double, radius: Double) {
    move(x - radius, y)
    arc(radius: radius, isClockwise: true, x + radius, y)
    arc(radius: radius, isClockwise: true, x - radius, y)
    close()
  }

  /// Closes the line at its start.
  mutating func close() { text += "Z" }

  /// Formats a coordinate with at most one decimal. Values that are not finite, or are 1e9 or more, become 0.
  static func number(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e9 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
  }
}

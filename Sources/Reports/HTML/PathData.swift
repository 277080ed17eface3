/// The data of an SVG path, in tenths of a unit, so that it is short and the same on every machine.
struct PathData {
  private var done = ""
  /// The number of points of the unfinished line.
  private var points = 0

  /// The data. A line of a single point is a dot.
  var text: String { points == 1 ? done + "h0" : done }

  /// Continues the line to a point, or begins it there.
  mutating func line(to x: Double, _ y: Double) {
    done += (points > 0 ? "L" : "M") + "\(Self.number(x)) \(Self.number(y))"
    points += 1
  }

  /// Ends the line, so that the next point begins another one.
  mutating func lift() {
    done = text
    points = 0
  }

  /// Closes the line at its start.
  mutating func close() {
    done += "Z"
    points = 0
  }

  mutating func rectangle(_ x: Double, _ y: Double, width: Double, height: Double) {
    lift()
    done += "M\(Self.number(x)) \(Self.number(y))h\(Self.number(width))v\(Self.number(height))h\(Self.number(-width))z"
  }

  /// Adds a point as large as the line width.
  mutating func dot(_ x: Double, _ y: Double) {
    lift()
    done += "M\(Self.number(x)) \(Self.number(y))h0"
  }

  /// Adds a shape that is drawn from a point, in data with relative steps.
  mutating func shape(_ x: Double, _ y: Double, _ steps: StaticString) {
    lift()
    done += "M\(Self.number(x)) \(Self.number(y))\(steps)"
  }

  /// Formats a coordinate with at most one digit after the point. Values that are not finite, or are 1e9 or more, become 0.
  static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}

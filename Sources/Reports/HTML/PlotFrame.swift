import Presentation

/// The frame of a plot: the positions of values in the picture, and the axes.
struct PlotFrame {
  /// A value and its label.
  typealias Tick = (value: Double, text: String)

  private static let (left, right, top, bottom) = (62.0, 26.0, 30.0, 50.0)

  let width: Double
  let height: Double
  let x: ValueScale
  let y: ValueScale

  /// Creates a frame around an area of a size in units.
  init(areaWidth: Double, areaHeight: Double, x: ValueScale, y: ValueScale) {
    width = areaWidth + Self.left + Self.right
    height = areaHeight + Self.top + Self.bottom
    self.x = x
    self.y = y
  }

  var areaWidth: Double { width - Self.left - Self.right }
  var areaHeight: Double { height - Self.top - Self.bottom }
  var areaLeft: Double { Self.left }
  var areaTop: Double { Self.top }
  var areaBottom: Double { Self.top + areaHeight }

  /// Returns the horizontal position of a value, or of the edge for values off the scale.
  func px(_ value: Double) -> Double { Self.left + x.share(value) * areaWidth }

  func py(_ value: Double) -> Double { Self.top + (1 - y.share(value)) * areaHeight }

  /// Adds a vertical band from one value of x to another, at least `least` units wide.
  func stretch(_ range: ClosedRange<Double>, atLeast least: Double = 0, into path: inout PathData) {
    let (from, to) = (px(range.lowerBound), px(range.upperBound))
    path.rectangle(from, areaTop, width: max(least, to - from), height: areaHeight)
  }

  /// Returns the grid, the labels and the titles of the axes.
  func axes(x xTicks: [Tick], y yTicks: [Tick], xTitle: String, yTitle: String) -> [Element] {
    var grid = PathData()
    var texts: [Element] = []
    for tick in yTicks {
      grid.line(to: Self.left, py(tick.value))
      grid.line(to: Self.left + areaWidth, py(tick.value))
      grid.lift()
      texts.append(Self.text(Self.left - 8, py(tick.value) + 5, tick.text, anchor: "end"))
    }
    for tick in xTicks {
      grid.line(to: px(tick.value), areaBottom)
      grid.line(to: px(tick.value), areaBottom + 5)
      grid.lift()
      // The last label must not extend beyond the edge of the picture, even in large type.
      let isAtEdge = width - px(tick.value) < 6.5 * Double(tick.text.count)
      texts.append(
        Self.text(
          isAtEdge ? width - 1 : px(tick.value), areaBottom + 22, tick.text, anchor: isAtEdge ? "end" : "middle"))
    }
    texts.append(Self.text(2, 18, yTitle, anchor: "start"))
    texts.append(Self.text(Self.left + areaWidth, height - 4, xTitle, anchor: "end"))
    var frame = PathData()
    frame.rectangle(Self.left, Self.top, width: areaWidth, height: areaHeight)
    return [Element("path", ["class": "grid", "d": grid.text]), Element("path", ["class": "frame", "d": frame.text])]
      + texts
  }

  /// Returns a text in the picture.
  static func text(_ x: Double, _ y: Double, _ text: String, anchor: String) -> Element {
    Element("text", ["x": PathData.number(x), "y": PathData.number(y), "text-anchor": anchor], text)
  }

  // MARK: - Ticks

  /// Returns round numbers with their labels.
  static func ticks(_ scale: ValueScale, most: Int, digits: Int = 0) -> [Tick] {
    scale.ticks(most: most).map { ($0, digits == 0 ? "\(Int($0.rounded()))" : Wording.rounded($0, digits: digits)) }
  }

  /// Returns round times in seconds with their labels.
  static func timeTicks(upTo seconds: Double) -> [Tick] {
    ElapsedTime.ticks(upTo: seconds, most: 7).map { ($0, ElapsedTime.tick($0, of: seconds)) }
  }
}

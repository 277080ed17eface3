import TachogramCore

/// A line chart of values at intervals of five minutes. Gaps stay gaps: only neighbours are joined, and a value between two gaps
/// is a dot.
struct GlancePlot {
  /// The edges of the area.
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double
  /// The values, the oldest first; `nil` in gaps.
  let values: [Double?]
  /// The values at the bottom and the top.
  let low: Double
  let high: Double

  /// Returns the line with a class, above the area between it and the bottom.
  func line(_ style: String, hasArea: Bool) -> [SVGElement] {
    var (line, area) = (SVGPath(), SVGPath())
    for run in runs {
      for (index, place) in run.enumerated() {
        let (x, y) = (x(of: Double(place) + 0.5), y(of: values[place] ?? low))
        index == 0 ? line.move(x, y) : line.line(x, y)
        if run.count > 1 { index == 0 ? area.move(x, y) : area.line(x, y) }
      }
      if run.count == 1 {
        line.dot()
      } else {
        area.line(x(of: Double(run.upperBound) - 0.5), bottom)
        area.line(x(of: Double(run.lowerBound) + 0.5), bottom)
        area.close()
      }
    }
    guard !line.text.isEmpty else { return [] }
    let shape = SVGElement("path", [("class", "line \(style)"), ("stroke-width", "1.75"), ("d", line.text)])
    guard hasArea, !area.text.isEmpty else { return [shape] }
    return [SVGElement("path", [("class", "area"), ("d", area.text)]), shape]
  }

  /// Returns horizontal lines at values, and vertical lines at places of time.
  func grid(_ levels: [Double], times: [Double]) -> SVGElement {
    var path = SVGPath()
    for level in levels {
      path.move(left, y(of: level))
      path.line(right, y(of: level))
    }
    for time in times {
      path.move(x(of: time), top)
      path.line(x(of: time), bottom)
    }
    return SVGElement("path", [("class", "line grid"), ("stroke-width", "0.5"), ("d", path.text)])
  }

  /// Returns the horizontal position of a number of places since the start of the first.
  func x(of places: Double) -> Double { left + places / Double(max(1, values.count)) * (right - left) }

  /// Returns the vertical position of a value, or of the edge for values beyond it.
  func y(of value: Double) -> Double {
    bottom - min(1, max(0, (value - low) / max(1e-9, high - low))) * (bottom - top)
  }

  /// The runs of neighbours with values.
  private var runs: [Range<Int>] {
    var runs: [Range<Int>] = []
    for place in values.indices where values[place] != nil {
      if let last = runs.last, last.upperBound == place {
        runs[runs.count - 1] = last.lowerBound..<place + 1
      } else {
        runs.append(place..<place + 1)
      }
    }
    return runs
  }
}

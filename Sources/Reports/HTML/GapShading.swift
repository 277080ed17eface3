import Presentation

/// The gaps of a series as vertical bands of a plot over time.
struct GapShading {
  /// The greatest number of gaps drawn one by one. If there are more, the columns that they touch are drawn.
  private static let mostShades = 500

  let span: SeriesSpan
  let frame: PlotFrame

  /// The elements, or an empty array if there are no gaps.
  var elements: [Element] {
    guard !span.gaps.isEmpty else { return [] }
    var path = PathData()
    if span.gaps.count <= Self.mostShades {
      for gap in span.gaps { frame.stretch(gap.start...gap.end, atLeast: 1, into: &path) }
    } else {
      let width = span.seconds / Double(Self.mostShades)
      for (place, isTouched) in touched.enumerated() where isTouched {
        frame.stretch(Double(place) * width...Double(place + 1) * width, into: &path)
      }
    }
    return [Element("path", ["class": "gap", "d": path.text])]
  }

  private var touched: [Bool] {
    var touched = [Bool](repeating: false, count: Self.mostShades)
    for gap in span.gaps {
      for place in span.column(of: gap.start, of: touched.count)...span.column(of: gap.end, of: touched.count) {
        touched[place] = true
      }
    }
    return touched
  }
}

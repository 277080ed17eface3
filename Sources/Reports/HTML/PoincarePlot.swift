import Pipeline
import Presentation
import TachogramCore

/// Each corrected interval plotted against the previous one, with the ellipse of SD1 and SD2.
struct PoincarePlot {
  private static let side = 400.0
  /// The greatest number of cells drawn. If there are more, larger cells are used.
  private static let mostCells = 6000
  /// The numbers of pairs in a cell from which it is drawn more strongly.
  private static let dense = [1, 4, 16]

  private struct Cell: Hashable, Comparable {
    let column: Int
    let row: Int

    static func < (left: Cell, right: Cell) -> Bool { (left.row, left.column) < (right.row, right.column) }
  }

  let trace: SeriesTrace
  let metrics: MetricsSection

  /// The figure, or `nil` without a pair of neighbours.
  var figure: PlotFigure? {
    let pairs = pairs
    guard let scale = ValueScale(pairs.flatMap { [$0.0, $0.1] }, atLeast: 100, margin: 0.1) else { return nil }
    let frame = PlotFrame(areaWidth: Self.side, areaHeight: Self.side, x: scale, y: scale)
    let ticks = PlotFrame.ticks(scale, most: 5)
    var identity = PathData()
    identity.line(to: frame.px(scale.low), frame.py(scale.low))
    identity.line(to: frame.px(scale.high), frame.py(scale.high))
    var content = frame.axes(x: ticks, y: ticks, xTitle: "RR (ms)", yTitle: "next RR (ms)")
    content.append(Element("path", ["class": "identity", "d": identity.text]))
    content += points(pairs, frame)
    content += ellipse(pairs, frame)
    var keys = [PlotFigure.Key(sign: .shape("h0"), style: "points dense", text: "two neighbours, corrected")]
    var description = "\(pairs.count) pairs of neighbouring intervals, each over the one before it."
    if let sd1 = metrics.metrics[.sd1], let sd2 = metrics.metrics[.sd2] {
      let values = "SD1 \(Wording.rounded(sd1)) ms, SD2 \(Wording.rounded(sd2)) ms"
      keys.append(PlotFigure.Key(sign: .line, style: "ellipse", text: values))
      description += " \(values)."
    }
    return PlotFigure(
      id: "poincare", title: "Poincaré plot", description: description, frame: frame, content: content, keys: keys,
      isHalf: true)
  }

  /// The pairs of adjacent intervals without a gap between them, neither of which was corrected.
  private var pairs: [(Double, Double)] {
    zip(trace.corrected, trace.corrected.dropFirst()).compactMap { first, second in
      let isPair = !second.followsGap && first.beatClass == .normal && second.beatClass == .normal
      return isPair ? (first.milliseconds, second.milliseconds) : nil
    }
  }

  // MARK: - Drawing

  /// Draws one dot for each cell, in three strengths.
  private func points(_ pairs: [(Double, Double)], _ frame: PlotFrame) -> [Element] {
    var size = 1.0
    var cells = cells(pairs, frame, size: size)
    while cells.count > Self.mostCells {
      size *= 1.5
      cells = self.cells(pairs, frame, size: size)
    }
    let sorted = cells.sorted { $0.key < $1.key }
    return zip(["points faint", "points", "points dense"], Self.dense.indices).compactMap { style, place in
      let upper = place + 1 < Self.dense.count ? Self.dense[place + 1] : Int.max
      var path = PathData()
      for (cell, count) in sorted where (Self.dense[place]..<upper).contains(count) {
        path.dot((Double(cell.column) + 0.5) * size, (Double(cell.row) + 0.5) * size)
      }
      // If there are few pairs, all are drawn strongly.
      let isFew = pairs.count < 1000
      let dot = "stroke-width:\(PathData.number(max(3, 1.2 * size)))"
      return path.text.isEmpty
        ? nil : Element("path", ["class": isFew ? "points dense" : style, "style": dot, "d": path.text])
    }
  }

  private func cells(_ pairs: [(Double, Double)], _ frame: PlotFrame, size: Double) -> [Cell: Int] {
    var cells: [Cell: Int] = [:]
    for (first, second) in pairs {
      cells[Cell(column: Int(frame.px(first) / size), row: Int(frame.py(second) / size)), default: 0] += 1
    }
    return cells
  }

  /// Draws the ellipse around the centre of the pairs, with SD1 and SD2 as the lengths of its axes.
  private func ellipse(_ pairs: [(Double, Double)], _ frame: PlotFrame) -> [Element] {
    guard let sd1 = metrics.metrics[.sd1], let sd2 = metrics.metrics[.sd2], !pairs.isEmpty else { return [] }
    let x = frame.px(pairs.reduce(0) { $0 + $1.0 } / Double(pairs.count))
    let y = frame.py(pairs.reduce(0) { $0 + $1.1 } / Double(pairs.count))
    let unit = Self.side / (frame.x.high - frame.x.low)
    let (along, across) = (sd2 * unit, sd1 * unit)
    let half = 0.5.squareRoot()
    var axes = PathData()
    axes.line(to: x - along * half, y + along * half)
    axes.line(to: x + along * half, y - along * half)
    axes.lift()
    axes.line(to: x - across * half, y - across * half)
    axes.line(to: x + across * half, y + across * half)
    let centre = "\(PathData.number(x)) \(PathData.number(y))"
    return [
      Element(
        "ellipse",
        [
          "class": "ellipse", "cx": PathData.number(x), "cy": PathData.number(y), "rx": PathData.number(along),
          "ry": PathData.number(across), "transform": "rotate(-45 \(centre))",
        ]),
      Element("path", ["class": "ellipse", "d": axes.text]),
    ]
  }
}

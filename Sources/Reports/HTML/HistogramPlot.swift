import Pipeline
import Presentation
import TachogramCore

/// The distribution of the corrected intervals, in bins of 1/128 s as for the triangular index, or a multiple of it.
struct HistogramPlot {
  private static let bin = 7.8125
  private static let mostBins = 120.0

  let trace: SeriesTrace

  /// The figure, or `nil` without a corrected interval.
  var figure: PlotFigure? {
    let values = trace.corrected.map(\.milliseconds)
    guard let range = ValueScale(values, atLeast: 100, margin: 0.05) else { return nil }
    var width = Self.bin
    while (range.high - range.low) / width > Self.mostBins { width *= 2 }
    let x = ValueScale(low: (range.low / width).rounded(.down) * width, high: (range.high / width).rounded(.up) * width)
    var counts = [Int](repeating: 0, count: max(1, Int(((x.high - x.low) / width).rounded())))
    var outside = 0
    for value in values {
      let place = Int(((value - x.low) / width).rounded(.down))
      if counts.indices.contains(place) { counts[place] += 1 } else { outside += 1 }
    }
    let most = counts.max() ?? 1
    let frame = PlotFrame(
      areaWidth: 400, areaHeight: 400, x: x, y: ValueScale(low: 0, high: Double(max(1, most)) * 1.05))
    var bars = PathData()
    for (place, count) in counts.enumerated() where count > 0 {
      let left = frame.px(x.low + Double(place) * width)
      let top = frame.py(Double(count))
      bars.rectangle(
        left, top, width: frame.px(x.low + Double(place + 1) * width) - left, height: frame.areaBottom - top)
    }
    let axes = frame.axes(
      x: PlotFrame.ticks(x, most: 5), y: PlotFrame.ticks(frame.y, most: 5), xTitle: "RR (ms)", yTitle: "intervals")
    let fullest = x.low + (Double(counts.firstIndex(of: most) ?? 0) + 0.5) * width
    return PlotFigure(
      id: "histogram", title: "Histogram",
      description:
        "Corrected intervals in bins of \(Wording.rounded(width, digits: 4)) ms; the fullest, with \(most) of "
        + "them, is at \(Wording.rounded(fullest)) ms.",
      frame: frame, content: axes + [Element("path", ["class": "bars", "d": bars.text])],
      keys: [
        PlotFigure.Key(
          sign: .area, style: "bars", text: "corrected intervals in bins of \(Wording.rounded(width, digits: 4)) ms")
      ],
      notes: outside == 0 ? [] : ["\(outside) intervals are beyond the scale."], isHalf: true)
  }
}

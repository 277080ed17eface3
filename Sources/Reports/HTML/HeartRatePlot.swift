import Pipeline
import Presentation
import TachogramCore

/// Heart rate over time: the mean of each column as a line, its range as a ribbon.
struct HeartRatePlot {
  private static let secondsToColumn = 5.0
  private static let mostColumns = 320

  let trace: SeriesTrace
  let span: SeriesSpan

  /// The figure, or `nil` without a corrected interval.
  var figure: PlotFigure? {
    let count = min(Self.mostColumns, max(1, Int(span.seconds / Self.secondsToColumn)))
    let sound = trace.corrected.filter { $0.milliseconds > 0 }
    let columns = SeriesColumns(sound, over: span, columns: count).columns
    let rates = columns.compactMap { $0 }.flatMap { [60_000 / $0.low, 60_000 / $0.high] }
    guard let scale = ValueScale(rates, atLeast: 20, margin: 0.08) else { return nil }
    let frame = PlotFrame(areaWidth: 640, areaHeight: 170, x: ValueScale(low: 0, high: span.seconds), y: scale)
    var line = PathData()
    var ribbon = PathData()
    for run in Self.runs(columns) {
      line.lift()
      for (x, column) in run { line.line(to: px(x, count, frame), frame.py(60_000 / column.mean)) }
      for (x, column) in run { ribbon.line(to: px(x, count, frame), frame.py(60_000 / column.low)) }
      for (x, column) in run.reversed() { ribbon.line(to: px(x, count, frame), frame.py(60_000 / column.high)) }
      ribbon.close()
    }
    let axes = frame.axes(
      x: PlotFrame.timeTicks(upTo: span.seconds), y: PlotFrame.ticks(scale, most: 5),
      xTitle: ElapsedTime.axis(of: span.seconds), yTitle: "heart rate (bpm)")
    let means = columns.compactMap { $0.map { 60_000 / $0.mean } }
    let each = span.seconds / Double(count)
    return PlotFigure(
      id: "heart-rate", title: "Heart rate",
      description:
        "Mean heart rate of each \(Wording.rounded(each)) s, between \(Wording.rounded(means.min() ?? 0)) and "
        + "\(Wording.rounded(means.max() ?? 0)) bpm.",
      frame: frame,
      content: GapShading(span: span, frame: frame).elements + axes + [
        Element("path", ["class": "ribbon", "d": ribbon.text]),
        Element("path", ["class": "corrected", "d": line.text]),
      ],
      keys: [
        PlotFigure.Key(sign: .line, style: "corrected", text: "mean of \(Wording.rounded(each)) s, corrected"),
        PlotFigure.Key(sign: .area, style: "ribbon", text: "of the longest to of the shortest interval in it"),
      ])
  }

  private func px(_ place: Int, _ count: Int, _ frame: PlotFrame) -> Double {
    frame.areaLeft + (Double(place) + 0.5) / Double(count) * frame.areaWidth
  }

  /// Returns the runs of consecutive columns without missing ones.
  private static func runs(_ columns: [SeriesColumns.Column?]) -> [[(Int, SeriesColumns.Column)]] {
    var runs: [[(Int, SeriesColumns.Column)]] = [[]]
    for (place, column) in columns.enumerated() {
      if column?.followsGap ?? true, runs.last?.isEmpty == false { runs.append([]) }
      if let column { runs[runs.count - 1].append((place, column)) }
    }
    return runs.filter { !$0.isEmpty }
  }
}

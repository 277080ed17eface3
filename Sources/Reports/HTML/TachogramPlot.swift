import Pipeline
import Presentation
import TachogramCore

/// RR intervals over time: raw and corrected, artifacts by class, gaps.
struct TachogramPlot {
  /// The greatest number of intervals drawn one by one. If there are more, the lowest and the highest of each column are drawn.
  private static let mostPoints = 1200
  /// The number of columns of artifacts. The lowest and the highest artifact of each class is drawn in each column.
  private static let markColumns = 210

  let trace: SeriesTrace
  let span: SeriesSpan

  /// The figure, or `nil` without a corrected interval.
  var figure: PlotFigure? {
    guard let scale = ValueScale(trace.corrected.map(\.milliseconds), atLeast: 100, margin: 0.12) else { return nil }
    let frame = PlotFrame(
      areaWidth: 640, areaHeight: 230, x: ValueScale(low: 0, high: span.seconds), y: scale)
    var content = GapShading(span: span, frame: frame).elements
    content += frame.axes(
      x: PlotFrame.timeTicks(upTo: span.seconds), y: PlotFrame.ticks(scale, most: 6),
      xTitle: ElapsedTime.axis(of: span.seconds), yTitle: "RR (ms)")
    content.append(Element("path", ["class": "raw", "d": path(trace.raw, frame)]))
    content.append(Element("path", ["class": "corrected", "d": path(trace.corrected, frame)]))
    let found = ArtifactMark.classes.filter { beatClass in trace.raw.contains { $0.beatClass == beatClass } }
    for beatClass in found { content.append(marks(beatClass, frame)) }
    var keys = [
      PlotFigure.Key(sign: .line, style: "corrected", text: "corrected"),
      PlotFigure.Key(sign: .line, style: "raw", text: "raw"),
    ]
    keys += found.map {
      PlotFigure.Key(
        sign: .shape(ArtifactMark.shape($0)), style: $0.rawValue, text: ArtifactMark.label($0))
    }
    if !span.gaps.isEmpty { keys.append(PlotFigure.Key(sign: .area, style: "gap", text: "gap")) }
    return PlotFigure(
      id: "tachogram", title: "Tachogram", description: description, frame: frame, content: content, keys: keys,
      notes: notes(scale))
  }

  private var description: String {
    let values = trace.corrected.map(\.milliseconds)
    let artifacts = trace.raw.count { $0.beatClass != .normal }
    return "RR intervals over \(ElapsedTime.text(span.seconds)): \(trace.raw.count) intervals, corrected between "
      + "\(Wording.rounded(values.min() ?? 0)) and \(Wording.rounded(values.max() ?? 0)) ms, \(artifacts) of them "
      + "artifacts, \(span.gaps.count) gaps."
  }

  private func notes(_ scale: ValueScale) -> [String] {
    let isReduced = trace.raw.count > Self.mostPoints
    let isClipped = trace.raw.contains { $0.milliseconds < scale.low || $0.milliseconds > scale.high }
    return [
      isReduced ? "Of each column of the picture the shortest and the longest interval are drawn." : nil,
      isClipped ? "Intervals beyond the scale are drawn at its edge." : nil,
    ].compactMap(\.self)
  }

  // MARK: - Drawing

  private func path(_ intervals: [SeriesTrace.Interval], _ frame: PlotFrame) -> String {
    var path = PathData()
    if intervals.count <= Self.mostPoints {
      for interval in intervals {
        if interval.followsGap { path.lift() }
        path.line(to: frame.px(span.seconds(interval.end)), frame.py(interval.milliseconds))
      }
      return path.text
    }
    let count = Int(frame.areaWidth)
    for (place, column) in SeriesColumns(intervals, over: span, columns: count).columns.enumerated() {
      guard let column else {
        path.lift()
        continue
      }
      if column.followsGap { path.lift() }
      let x = frame.areaLeft + (Double(place) + 0.5) / Double(count) * frame.areaWidth
      path.line(to: x, frame.py(column.low))
      path.line(to: x, frame.py(column.high))
    }
    return path.text
  }

  private func marks(_ beatClass: BeatClass, _ frame: PlotFrame) -> Element {
    let found = trace.raw.filter { $0.beatClass == beatClass }
    let columns = SeriesColumns(found, over: span, columns: Self.markColumns).columns
    let shape = ArtifactMark.shape(beatClass, isSmall: found.count > Self.markColumns / 2)
    var path = PathData()
    if found.count <= Self.markColumns {
      for interval in found {
        path.shape(
          frame.px(span.seconds(interval.end)), frame.py(interval.milliseconds), shape)
      }
    } else {
      for (place, column) in columns.enumerated() {
        guard let column else { continue }
        let x = frame.areaLeft + (Double(place) + 0.5) / Double(Self.markColumns) * frame.areaWidth
        for value in Set([column.low, column.high]).sorted() {
          path.shape(x, frame.py(value), shape)
        }
      }
    }
    return Element("path", ["class": beatClass.rawValue, "d": path.text])
  }
}

import HRV
import Pipeline
import Presentation
import TachogramCore

/// One metric of the complete 5-minute segments over time. Refused segments are shaded.
struct SegmentStrip {
  static let metrics: [HRVMetric] = [.meanHeartRate, .sdnn, .rmssd]

  let metric: HRVMetric
  let segments: [SegmentSeries.Segment]
  let span: SeriesSpan

  /// The figure, or `nil` if there are fewer than two segments or none has a value.
  var figure: PlotFigure? {
    let values = segments.compactMap { $0.metrics[metric] }
    guard segments.count > 1, let scale = ValueScale(values, atLeast: metric == .meanHeartRate ? 20 : 10, margin: 0.1)
    else { return nil }
    let frame = PlotFrame(areaWidth: 640, areaHeight: 100, x: ValueScale(low: 0, high: span.seconds), y: scale)
    var line = PathData()
    var refused = PathData()
    var last = -1
    for segment in segments {
      let from = Double(segment.number * SegmentSeries.length)
      let to = from + Double(SegmentSeries.length)
      if let value = segment.metrics[metric] {
        if last != segment.number - 1 { line.lift() }
        line.line(to: frame.px(from), frame.py(value))
        line.line(to: frame.px(to), frame.py(value))
        last = segment.number
      } else {
        frame.stretch(from...to, into: &refused)
      }
    }
    let name = Wording.name(metric)
    let refusals = refusals
    let axes = frame.axes(
      x: PlotFrame.timeTicks(upTo: span.seconds), y: PlotFrame.ticks(scale, most: 4),
      xTitle: ElapsedTime.axis(of: span.seconds), yTitle: "\(name.label) (\(name.unit.drop { $0 == " " }))")
    var keys = [
      PlotFigure.Key(sign: .line, style: "corrected", text: "of each 5 minutes, corrected")
    ]
    if !refusals.isEmpty { keys.append(PlotFigure.Key(sign: .area, style: "refused", text: "refused")) }
    return PlotFigure(
      id: "segments-\(metric.rawValue)", title: "Segments: \(name.label)",
      description: "\(values.count) of \(segments.count) complete 5-minute segments have a value, between "
        + "\(Wording.rounded(values.min() ?? 0)) and \(Wording.rounded(values.max() ?? 0))\(name.unit).",
      frame: frame,
      content: [Element("path", ["class": "refused", "d": refused.text])] + axes
        + [Element("path", ["class": "corrected", "d": line.text])],
      keys: keys, notes: refusals)
  }

  /// The number of refused segments, by reason.
  private var refusals: [String] {
    var counts: [String: Int] = [:]
    for segment in segments where segment.metrics[metric] == nil {
      if let reason = segment.metrics.reason(for: metric) { counts[Self.kind(reason), default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map { "\($1) of \(segments.count) segments refused: \($0)." }
  }

  /// Returns the reason without the numbers of the single segment.
  private static func kind(_ reason: UnavailableReason) -> String {
    switch reason {
    case .tooManyArtifacts: "too many of the intervals are artifacts"
    case .irregularRhythm: "the rhythm is irregular, as in atrial fibrillation"
    case .repeatedIntervals: "the intervals repeat themselves, as those of a pacemaker do"
    case .tooShort, .tooFew, .noIntervals: "too few intervals"
    default: "there is nothing to compare"
    }
  }
}

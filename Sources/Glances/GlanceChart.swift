/// A chart of the last hours with its axes.
struct GlanceChart {
  /// What is shown.
  enum Kind: Hashable {
    case stressLevel, heartRate
  }

  let summary: GlanceSummary
  let clock: GlanceClock
  /// The last hours that are shown.
  let hours: Int
  /// The edges of the area; the labels of values are to its right, those of times below it.
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double
  let kind: Kind

  /// Draws the chart; `hasLabels` is whether the times have labels.
  func draw(on canvas: inout GlanceCanvas, hasArea: Bool, hasLabels: Bool) {
    let all = kind == .stressLevel ? summary.stressLevels : summary.heartRates
    let values = Array(all.suffix(hours * 12))
    let (low, high) = kind == .stressLevel ? (0, 100) : Self.scale(values.compactMap { $0 })
    let plot = GlancePlot(
      left: left, right: right, top: top, bottom: bottom, values: values, low: low, high: high)
    let ticks = GlanceTimeAxis(summary, clock: clock, hours: hours, step: hours > 6 ? 6 : 2).ticks
    let levels = kind == .stressLevel ? [0, 25, 50, 75, 100] : [low, high]
    let area = plot.line(kind == .stressLevel ? "stress" : "rate", hasArea: hasArea && kind == .stressLevel)
    let grid = plot.grid(levels, times: ticks.map(\.place))
    // The grid is above the area, and below the line.
    canvas.append(area.dropLast() + [grid] + area.suffix(1))
    let labels = kind == .stressLevel ? [0, 50, 100] : levels
    for value in labels {
      canvas.text(right + 6, plot.y(of: value) + 3.5, GlanceWording.whole(value), size: 9.5, style: "muted")
    }
    if values.allSatisfy({ $0 == nil }) {
      let what = kind == .stressLevel ? "No stress level" : "No heart rate"
      canvas.text(
        (left + right) / 2, (top + bottom) / 2 + 4, "\(what) in \(hours) hours", size: 10.5, style: "muted",
        anchor: .middle)
    }
    guard hasLabels else { return }
    for tick in ticks {
      let x = plot.x(of: tick.place)
      // A label needs half its width on both sides.
      guard x >= left + 14, x <= right else { continue }
      canvas.text(x, bottom + 13, tick.text, size: 9.5, style: "muted", anchor: .middle)
    }
  }

  /// Returns a range of tens, at least 20 wide, with all values in it.
  static func scale(_ values: [Double]) -> (low: Double, high: Double) {
    guard let least = values.min(), let most = values.max() else { return (40, 120) }
    let low = ((least - 1) / 10).rounded(.down) * 10
    return (max(0, low), max(low + 20, ((most + 1) / 10).rounded(.up) * 10))
  }
}

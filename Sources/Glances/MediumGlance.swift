/// The family `medium`: the ring, and the chart and trend of the last 6 hours.
struct MediumGlance {
  private static let hours = 6

  let wording: GlanceWording
  let summary: GlanceSummary
  let isMonochrome: Bool

  private var content: GlanceContent { wording.content }
  private var isCurrent: Bool { content.state == .current }

  func draw(on canvas: inout GlanceCanvas) {
    GlanceHeader(wording: wording, width: GlanceFamily.medium.width).draw(on: &canvas)
    let ring = GlanceRing(x: 66, y: 98, radius: 45, width: 10)
    canvas.append(ring.elements(content.reading?.stress, isCurrent: isCurrent, isMonochrome: isMonochrome))
    GlanceRingFace(wording: wording, x: 66, y: 98, scale: 1).draw(on: &canvas)
    chart(on: &canvas)
    footer(on: &canvas)
  }

  private func chart(on canvas: inout GlanceCanvas) {
    let levels = Array(summary.stressLevels.suffix(Self.hours * 12))
    let rates = Array(summary.heartRates.suffix(Self.hours * 12))
    // Before there are stress levels, the heart rate is shown.
    let isStress = levels.contains { $0 != nil } || !rates.contains { $0 != nil }
    let chart = GlanceChart(
      summary: summary, clock: content.clock, hours: Self.hours, left: 134, right: 324, top: 56, bottom: 118,
      kind: isStress ? .stressLevel : .heartRate)
    canvas.text(134, 46, isStress ? "Stress, last 6 hours" : "Heart rate, last 6 hours", size: 10.5, style: "muted")
    if isStress, let trend = summary.trend {
      canvas.label(
        348, 46, GlanceIcon(trend.direction), GlanceWording.capitalised(trend.direction.rawValue), size: 11,
        anchor: .end)
    }
    chart.draw(on: &canvas, hasArea: !isMonochrome, hasLabels: true)
  }

  private func footer(on canvas: inout GlanceCanvas) {
    guard let reading = content.reading else { return }
    let style = isCurrent ? "text" : "muted"
    if reading.stress == nil {
      canvas.text(134, 154, GlanceWording.noStressLevel, size: 11, style: "muted")
    } else if let rate = wording.heartRate {
      canvas.label(134, 154, .heart, rate, size: 12.5, style: style, iconStyle: isCurrent ? "heart" : style)
    }
    if let rmssd = reading.rmssd {
      let width = canvas.text(
        348, 154, "\(GlanceWording.whole(rmssd)) ms", size: 12.5, style: style, isStrong: true, anchor: .end)
      canvas.text(343 - width, 154, "RMSSD", size: 10.5, style: "muted", anchor: .end)
    }
  }
}

/// The family `large`: the ring, the values of the last reading, the charts of the last 24 hours, and their statistics.
struct LargeGlance {
  private static let (left, right) = (17.0, 347.0)

  let wording: GlanceWording
  let summary: GlanceSummary
  let isMonochrome: Bool

  private var content: GlanceContent { wording.content }
  private var isCurrent: Bool { content.state == .current }

  func draw(on canvas: inout GlanceCanvas) {
    GlanceHeader(wording: wording, width: GlanceFamily.large.width).draw(on: &canvas)
    let ring = GlanceRing(x: 67, y: 92, radius: 45, width: 10)
    canvas.append(ring.elements(content.reading?.stress, isCurrent: isCurrent, isMonochrome: isMonochrome))
    GlanceRingFace(wording: wording, x: 67, y: 92, scale: 1).draw(on: &canvas)
    facts(on: &canvas)
    charts(on: &canvas)
    statistics(on: &canvas)
  }

  // MARK: - Facts

  private struct Fact {
    var label: String
    var value: String
    var icon: GlanceIcon?
  }

  private var facts: [Fact] {
    var facts: [Fact] = []
    if let reading = content.reading {
      if let rate = wording.heartRate { facts.append(Fact(label: "Heart rate", value: rate, icon: .heart)) }
      if let rmssd = reading.rmssd { facts.append(Fact(label: "RMSSD", value: "\(GlanceWording.whole(rmssd)) ms")) }
      if let sdnn = reading.sdnn { facts.append(Fact(label: "SDNN", value: "\(GlanceWording.whole(sdnn)) ms")) }
      facts.append(
        Fact(
          label: reading.stress == nil ? "Stress level" : "Confidence",
          value: reading.stress.map { GlanceWording.percent($0.confidence) } ?? "none yet"))
    }
    if let trend = summary.trend {
      let word = GlanceWording.capitalised(trend.direction.rawValue)
      facts.append(Fact(label: "6-hour trend", value: word, icon: GlanceIcon(trend.direction)))
    } else {
      facts.append(Fact(label: "6-hour trend", value: "not yet"))
    }
    return facts
  }

  private func facts(on canvas: inout GlanceCanvas) {
    guard content.reading != nil || summary.trend != nil else {
      canvas.text(140, 96, "Values appear with the first reading.", size: 11, style: "muted")
      return
    }
    let facts = facts
    let step = 20.0
    let first = 92 - Double(facts.count) * step / 2
    for (index, fact) in facts.enumerated() {
      let y = first + Double(index) * step + 14
      // The trend is computed from stored values, which do not become stale.
      let style = isCurrent || fact.label == "6-hour trend" ? "text" : "muted"
      canvas.text(140, y, fact.label, size: 11.5, style: "muted")
      if let icon = fact.icon {
        canvas.label(
          Self.right, y, icon, fact.value, size: 12, style: style,
          iconStyle: icon == .heart && isCurrent ? "heart" : style, anchor: .end)
      } else {
        canvas.text(Self.right, y, fact.value, size: 12, style: style, isStrong: true, anchor: .end)
      }
      guard index < facts.count - 1 else { continue }
      var line = SVGPath()
      line.move(140, y + 6)
      line.line(Self.right, y + 6)
      canvas.append(SVGElement("path", [("class", "line grid"), ("stroke-width", "0.5"), ("d", line.text)]))
    }
  }

  // MARK: - The last 24 hours

  private func charts(on canvas: inout GlanceCanvas) {
    canvas.text(Self.left, 169, "Last 24 hours", size: 12, isStrong: true)
    canvas.text(322, 169, "stress level", size: 10, style: "muted", anchor: .end)
    chart(.stressLevel, top: 178, bottom: 238).draw(on: &canvas, hasArea: !isMonochrome, hasLabels: false)
    canvas.text(322, 254, "heart rate (bpm)", size: 10, style: "muted", anchor: .end)
    chart(.heartRate, top: 262, bottom: 300).draw(on: &canvas, hasArea: false, hasLabels: true)
  }

  private func chart(_ kind: GlanceChart.Kind, top: Double, bottom: Double) -> GlanceChart {
    GlanceChart(
      summary: summary, clock: content.clock, hours: 24, left: Self.left, right: 322, top: top, bottom: bottom,
      kind: kind)
  }

  private func statistics(on canvas: inout GlanceCanvas) {
    let columns = [("Average", 203.0), ("Minimum", 275.0), ("Maximum", Self.right)]
    for (title, x) in columns { canvas.text(x, 333, title, size: 10, style: "muted", anchor: .end) }
    let rows = [("Stress level", summary.stressLevel, 349.0), ("Heart rate (bpm)", summary.heartRate, 366.0)]
    for (label, range, y) in rows {
      canvas.text(Self.left, y, label, size: 11, style: "muted")
      let values = range.map { [$0.average, $0.minimum, $0.maximum].map(GlanceWording.whole) } ?? ["–", "–", "–"]
      for (value, column) in zip(values, columns) {
        canvas.text(column.1, y, value, size: 12, isStrong: true, anchor: .end)
      }
    }
  }
}

/// The family `small`: the ring of the stress level, name and heart rate above it, the state below.
struct SmallGlance {
  let wording: GlanceWording
  let isMonochrome: Bool

  private var content: GlanceContent { wording.content }

  func draw(on canvas: inout GlanceCanvas) {
    let isCurrent = content.state == .current
    let (left, right) = (15.0, 155.0)
    var space = right - left
    // Without a stress level, the heart rate is in the ring.
    if content.reading?.stress != nil, let rate = content.reading?.heartRate {
      let style = isCurrent ? "text" : "muted"
      space -= canvas.label(
        right, 25, .heart, GlanceWording.whole(rate), size: 12, style: style, iconStyle: isCurrent ? "heart" : style,
        anchor: .end)
      space -= 8
    }
    if let name = content.name {
      canvas.name(left, 25, name, size: 12, width: space)
    } else {
      canvas.text(left, 25, "Stress", size: 12, style: "muted", isStrong: true)
    }
    let ring = GlanceRing(x: 85, y: 84, radius: 43.5, width: 9)
    canvas.append(ring.elements(content.reading?.stress, isCurrent: isCurrent, isMonochrome: isMonochrome))
    GlanceRingFace(wording: wording, x: 85, y: 84, scale: 1).draw(on: &canvas)
    footer(on: &canvas)
  }

  private func footer(on canvas: inout GlanceCanvas) {
    var lines: [(text: String, style: String)] = wording.status.map {
      ($0, content.state == .current ? "muted" : "notice")
    }
    // The ring says that there is no connection.
    if content.reading == nil { lines.removeFirst() }
    if content.reading != nil, content.reading?.stress == nil, lines.count < 2 {
      lines.insert((GlanceWording.noStressLevel, "muted"), at: 0)
    }
    for (index, line) in lines.enumerated() {
      let y = lines.count == 1 ? 153 : 148 + Double(index) * 12.5
      canvas.text(85, y, line.text, size: 10.5, style: line.style, isStrong: line.style == "notice", anchor: .middle)
    }
  }
}

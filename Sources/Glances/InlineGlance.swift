/// The family `inline`: one line, behind a swatch with the pattern and the icon of the category.
struct InlineGlance {
  let wording: GlanceWording
  let isMonochrome: Bool

  private var content: GlanceContent { wording.content }
  private var isCurrent: Bool { content.state == .current }

  func draw(on canvas: inout GlanceCanvas) {
    // Without a connection there is no place for values that are out of date.
    guard let reading = content.reading, content.isConnected else {
      canvas.text(
        160, 20.5, wording.statusLine, size: 12, style: "notice", isStrong: true, anchor: .middle)
      return
    }
    let style = isCurrent ? "text" : "muted"
    var x = 14.0
    if let stress = reading.stress {
      var swatch = SVGPath()
      swatch.circle(x + 8, 16, radius: 8)
      canvas.append(GlanceRing.shape(swatch.text, isCurrent: isCurrent, edge: "1"))
      canvas.icon(GlanceIcon(stress.category), x + 27, 16, size: 12, style: style)
      x += 39
    } else {
      canvas.icon(.heart, x + 7, 16, size: 14, style: isCurrent ? "heart" : style)
      x += 21
    }
    var parts = [wording.level ?? wording.heartRate ?? ""]
    if reading.stress == nil {
      parts.append(isCurrent ? GlanceWording.noStressLevel.lowercased() : "no level")
    } else if isCurrent, let rate = wording.heartRate {
      parts.append(rate)
    }
    x += canvas.text(x, 20.5, parts.joined(separator: " · "), size: 12.5, style: style, isStrong: true)
    // There is no room for more than the missing level.
    guard reading.stress != nil || !isCurrent else { return }
    canvas.text(
      306, 20.5, wording.statusLine, size: 11, style: isCurrent ? "muted" : "notice", isStrong: !isCurrent, anchor: .end
    )
  }
}

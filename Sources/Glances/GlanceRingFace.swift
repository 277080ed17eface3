import StressKit

/// What is inside a ring: icon, level and word; without a level the heart rate; without a reading that there is none.
struct GlanceRingFace {
  let wording: GlanceWording
  /// The middle.
  let x: Double
  let y: Double
  /// 1 in a ring whose inner radius is 39 units.
  let scale: Double

  private var content: GlanceContent { wording.content }
  private var valueStyle: String { content.state == .current ? "text" : "muted" }

  func draw(on canvas: inout GlanceCanvas) {
    guard let reading = content.reading else {
      let lines = content.isConnected ? ["No reading", "yet"] : ["Not", "connected"]
      line(lines[0], -3, size: 11, style: "notice", on: &canvas)
      line(lines[1], 12, size: 11, style: "notice", on: &canvas)
      return
    }
    if let stress = reading.stress {
      canvas.icon(GlanceIcon(stress.category), x, y - 24 * scale, size: 12 * scale, style: valueStyle)
      line(GlanceWording.whole(stress.level), 7.5, size: 30, style: valueStyle, on: &canvas)
      line(stress.category.displayName, 21, size: 10.5, style: valueStyle, on: &canvas)
    } else if let rate = reading.heartRate {
      canvas.icon(
        .heart, x, y - 24 * scale, size: 13 * scale, style: content.state == .current ? "heart" : valueStyle)
      line(GlanceWording.whole(rate), 7.5, size: 30, style: valueStyle, on: &canvas)
      line("bpm", 21.5, size: 11, style: "muted", on: &canvas)
    }
  }

  private func line(_ text: String, _ dy: Double, size: Double, style: String, on canvas: inout GlanceCanvas) {
    canvas.text(x, y + dy * scale, text, size: size * scale, style: style, isStrong: true, anchor: .middle)
  }
}

import StressKit

/// The family `circular`: the ring with everything inside.
struct CircularGlance {
  private static let (x, y) = (60.0, 60.0)

  let wording: GlanceWording
  let isMonochrome: Bool

  private var content: GlanceContent { wording.content }

  func draw(on canvas: inout GlanceCanvas) {
    let ring = GlanceRing(x: Self.x, y: Self.y, radius: 51, width: 10)
    canvas.append(
      ring.elements(content.reading?.stress, isCurrent: content.state == .current, isMonochrome: isMonochrome))
    switch (content.state, content.reading?.stress) {
    case (.current, .some):
      GlanceRingFace(wording: wording, x: Self.x, y: Self.y, scale: 1.17).draw(on: &canvas)
    case (.current, .none): heartRateOnly(on: &canvas)
    case (.noReading, _): noReading(on: &canvas)
    case (.stale, _): stale(on: &canvas)
    }
  }

  private func heartRateOnly(on canvas: inout GlanceCanvas) {
    canvas.icon(.heart, Self.x, 33, size: 13, style: "heart")
    line(GlanceWording.whole(content.reading?.heartRate ?? 0), 64, size: 28, style: "text", on: &canvas)
    line("bpm", 75, size: 10, style: "muted", on: &canvas)
    line("no level yet", 88, size: 9.5, style: "muted", on: &canvas)
  }

  private func noReading(on canvas: inout GlanceCanvas) {
    if content.isConnected {
      line("No reading", 58, size: 12.5, style: "notice", on: &canvas)
      line("yet", 74, size: 12.5, style: "notice", on: &canvas)
    } else {
      line("Not", 50, size: 12.5, style: "notice", on: &canvas)
      line("connected", 65, size: 12.5, style: "notice", on: &canvas)
      line("no reading yet", 80, size: 9, style: "muted", on: &canvas)
    }
  }

  private func stale(on canvas: inout GlanceCanvas) {
    guard let reading = content.reading else { return }
    if let stress = reading.stress {
      line(GlanceWording.whole(stress.level), 46, size: 22, style: "muted", on: &canvas)
      canvas.label(
        Self.x, 60, GlanceIcon(stress.category), stress.category.displayName, size: 10.5, style: "muted",
        anchor: .middle)
    } else {
      line(GlanceWording.whole(reading.heartRate ?? 0), 46, size: 22, style: "muted", on: &canvas)
      canvas.label(Self.x, 60, .heart, "bpm", size: 10.5, style: "muted", anchor: .middle)
    }
    let time = content.clock.text(reading.time, asOf: content.time)
    let words = content.isConnected ? ["stale since", time] : ["not connected", "stale \(time)"]
    line(words[0], 74.5, size: 9.5, style: "notice", on: &canvas)
    line(words[1], 86.5, size: 9.5, style: "notice", on: &canvas)
  }

  private func line(_ text: String, _ y: Double, size: Double, style: String, on canvas: inout GlanceCanvas) {
    canvas.text(Self.x, y, text, size: size, style: style, isStrong: true, anchor: .middle)
  }
}

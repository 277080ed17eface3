import StressKit

/// The family `rectangular`: the ring with the level, and up to four lines beside it.
struct RectangularGlance {
  private static let (left, right) = (100.0, 228.0)

  let wording: GlanceWording
  let isMonochrome: Bool

  private var content: GlanceContent { wording.content }
  private var isCurrent: Bool { content.state == .current }
  private var valueStyle: String { isCurrent ? "text" : "muted" }

  func draw(on canvas: inout GlanceCanvas) {
    let ring = GlanceRing(x: 51, y: 50, radius: 34, width: 8)
    canvas.append(ring.elements(content.reading?.stress, isCurrent: isCurrent, isMonochrome: isMonochrome))
    if let stress = content.reading?.stress {
      canvas.text(
        51, 59, GlanceWording.whole(stress.level), size: 25, style: valueStyle, isStrong: true, anchor: .middle)
    } else {
      canvas.icon(.heart, 51, 50, size: 22, style: isCurrent ? "heart" : "muted")
    }
    // The heart rate is left out before the state is.
    var lines = lines
    if lines.count > 4 { lines.removeAll { $0 == .heartRate } }
    let heights = lines.map { $0.height }
    var y = 50 - heights.reduce(0, +) / 2
    for line in lines {
      y += line.height
      draw(line, y - line.height * 0.28, on: &canvas)
    }
  }

  // MARK: - Lines

  private enum Line: Hashable {
    case name(GlanceName)
    case category(GlanceStress)
    case noLevel
    case heartRate
    case state(String)

    var height: Double {
      switch self {
      case .category: 22
      case .name, .noLevel, .state: 17
      case .heartRate: 19
      }
    }
  }

  private var lines: [Line] {
    var lines: [Line] = content.name.map { [.name($0)] } ?? []
    if let reading = content.reading {
      if let stress = reading.stress { lines.append(.category(stress)) }
      if reading.heartRate != nil { lines.append(.heartRate) }
      if reading.stress == nil { lines.append(.noLevel) }
    }
    return lines + wording.status.map { .state($0) }
  }

  private func draw(_ line: Line, _ y: Double, on canvas: inout GlanceCanvas) {
    switch line {
    case .name(let name): canvas.name(Self.left, y, name, size: 11, width: Self.right - Self.left)
    case .category(let stress):
      canvas.label(
        Self.left, y, GlanceIcon(stress.category), stress.category.displayName, size: 15, style: valueStyle)
    case .heartRate:
      canvas.label(
        Self.left, y, .heart, wording.heartRate ?? "", size: 12.5, style: valueStyle,
        iconStyle: isCurrent ? "heart" : "muted")
    case .noLevel: canvas.text(Self.left, y, GlanceWording.noStressLevel, size: 10.5, style: "muted")
    case .state(let text):
      canvas.text(Self.left, y, text, size: 10.5, style: isCurrent ? "muted" : "notice", isStrong: !isCurrent)
    }
  }
}

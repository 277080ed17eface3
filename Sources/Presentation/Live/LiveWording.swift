import StressKit
import TachogramCore

/// The texts and symbols of the live view.
package struct LiveWording {
  package let unicode: Bool

  package init(unicode: Bool) {
    self.unicode = unicode
  }

  // MARK: - The strap and its link

  package func strap(_ reading: LiveReading) -> String {
    let name = TerminalText.safe(reading.strap, unicode: unicode)
    return name.isEmpty ? "strap without a name" : name
  }

  /// Returns the symbol of a link phase.
  package func linkSign(_ phase: LinkPhase) -> StyledText {
    switch phase {
    case .live: StyledText(unicode ? "●" : "*", .good)
    case .idle, .scanning, .connecting, .resolving, .subscribing: StyledText(unicode ? "◌" : "~", .notice)
    case .silent, .backingOff, .adapterAbsent, .daemonAbsent: StyledText(unicode ? "✗" : "!", .bad)
    }
  }

  /// Returns the symbol, phase and reason of a link.
  package func link(_ link: LinkState) -> StyledText {
    linkSign(link.phase) + StyledText(" " + LinkWording.text(link))
  }

  /// Returns the age of a stale reading as text; `nil` if the reading is not stale.
  package static func staleness(_ reading: LiveReading) -> String? {
    guard reading.isStale, let age = reading.age else { return nil }
    return "stale \(seconds(age.rounded())) s"
  }

  // MARK: - Vital signs of the strap

  package func contact(_ contact: SensorContact) -> StyledText {
    switch contact {
    case .detected: StyledText("\(unicode ? "✓" : "+") contact", .good)
    case .notDetected: StyledText("\(unicode ? "✗" : "x") no contact", .bad)
    case .notSupported: StyledText("contact unknown", .faint)
    }
  }

  package func battery(_ percent: UInt8?) -> StyledText {
    guard let percent, percent <= 100 else { return StyledText("battery unknown", .faint) }
    return percent <= 20 ? StyledText("battery \(percent) % low", .bad) : StyledText("battery \(percent) %")
  }

  /// Bars and dBm; 127 means "not available" (Core Specification 5.4, Vol 4, Part E, 7.5.4).
  package func signal(_ dBm: Int8?) -> StyledText {
    guard let dBm, dBm != 127 else { return StyledText("signal unknown", .faint) }
    let count = dBm >= -60 ? 4 : dBm >= -70 ? 3 : dBm >= -80 ? 2 : dBm >= -90 ? 1 : 0
    let bars = unicode ? ["▂", "▄", "▆", "█"] : ["|", "|", "|", "|"]
    let shown = bars.prefix(count).joined() + String(repeating: unicode ? "·" : ".", count: 4 - count)
    return StyledText(shown, count <= 1 ? .bad : count == 2 ? .notice : .good) + StyledText(" \(dBm) dBm")
  }

  // MARK: - Stress

  /// Returns the icon of a category, and the character and style of its bar.
  package func stressSign(_ category: StressCategory) -> (icon: String, fill: String, style: TextStyle) {
    let style: TextStyle =
      switch category {
      case .relaxed: .good
      case .mild: .plain
      case .moderate: .notice
      case .high: .bad
      }
    return (Self.icon(category.filledQuarters, unicode: unicode), Self.sign(category.fill, unicode: unicode), style)
  }

  private static func icon(_ filledQuarters: Int, unicode: Bool) -> String {
    switch filledQuarters {
    case 0: unicode ? "○" : "o"
    case 1: unicode ? "◔" : "+"
    case 2: unicode ? "◑" : "%"
    default: unicode ? "●" : "@"
    }
  }

  private static func sign(_ fill: StressCategory.Fill, unicode: Bool) -> String {
    switch fill {
    case .solid: unicode ? "█" : "="
    case .diagonal: unicode ? "╱" : "/"
    case .dots: unicode ? "∙" : ":"
    case .crosshatch: unicode ? "╳" : "#"
    }
  }

  /// Returns a bar of ten cells, filled with the pattern of the category.
  package func stressBar(_ stress: StressResult) -> StyledText {
    let sign = stressSign(stress.category)
    let level = stress.level.isFinite ? min(100, max(0, stress.level)) : 0
    let filled = min(10, max(1, Int((level / 10).rounded())))
    var bar = StyledText("[")
    bar.append(String(repeating: sign.fill, count: filled), sign.style)
    bar.append(String(repeating: " ", count: 10 - filled) + "]")
    return bar
  }

  // MARK: - Numbers

  /// Returns whole seconds, rounded down and clamped to 0 … 999 999 999.
  package static func seconds(_ value: Double) -> Int64 {
    guard value.isFinite else { return value > 0 ? 999_999_999 : 0 }
    return Int64(min(999_999_999, max(0, value)))
  }

  /// Hours, minutes and seconds.
  package static func elapsed(_ value: Double) -> String {
    let total = seconds(value)
    let parts = [total / 3600, total / 60 % 60, total % 60]
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// Returns a number with one decimal; `?` if it is not finite.
  package static func number(_ value: Double) -> String {
    value.isFinite ? Wording.rounded(value) : "?"
  }
}

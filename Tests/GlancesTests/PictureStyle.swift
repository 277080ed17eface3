import Foundation

/// The colours of a picture, as its style sheet has them.
struct PictureStyle {
  /// The properties of each class.
  private var rules: [String: [String: String]] = [:]

  /// Reads the style sheet of a picture; `isDark` is whether the media query for dark viewers applies.
  init(_ picture: PictureReading, isDark: Bool = false) {
    let text = picture.all("style").map(\.text).joined()
    let parts = text.split(separator: "@media(prefers-color-scheme:dark){")
    add(parts.first ?? "")
    if isDark, parts.count > 1 { add(parts[1].dropLast()) }
  }

  private mutating func add(_ text: Substring) {
    for match in text.matches(of: /\.([a-z]+)\{([^}]*)\}/) {
      for property in match.2.split(separator: ";") {
        let pair = property.split(separator: ":", maxSplits: 1).map(String.init)
        if pair.count == 2 { rules[String(match.1), default: [:]][pair[0]] = pair[1] }
      }
    }
  }

  func colour(_ name: String, _ property: String) -> String? { rules[name]?[property] }

  // MARK: - Contrast

  /// WCAG 2.2, "contrast ratio".
  static func contrast(_ first: String, _ second: String) -> Double {
    let values = [luminance(first), luminance(second)].sorted()
    return (values[1] + 0.05) / (values[0] + 0.05)
  }

  /// Returns a colour over another one.
  static func blend(_ top: String, _ opacity: Double, over bottom: String) -> String {
    let parts = zip(channels(top), channels(bottom)).map { Int(($0 * opacity + $1 * (1 - opacity)).rounded()) }
    return "#" + parts.map { String(format: "%02x", $0) }.joined()
  }

  /// WCAG 2.2, "relative luminance".
  private static func luminance(_ colour: String) -> Double {
    let parts = channels(colour).map { value in
      let share = value / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private static func channels(_ colour: String) -> [Double] {
    let number = Int(colour.dropFirst(), radix: 16) ?? 0
    return [16, 8, 0].map { Double(number >> $0 & 255) }
  }
}

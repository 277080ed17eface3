/// A number in large digits of three by five pixels.
struct BigNumber {
  enum Size {
    /// Two columns by one row per pixel: five rows.
    case large
    /// One column by half a row per pixel: three rows of block characters.
    case small
  }

  private static let pixelRows = 5

  private let pixels: [[Bool]]

  /// Creates a number from the digits of `text`; other characters are drawn as dashes.
  init(_ text: String) {
    pixels = (0..<Self.pixelRows).map { row in
      var line: [Bool] = []
      for (index, character) in text.enumerated() {
        if index > 0 { line.append(false) }
        line += Self.glyph(character)[row].map { $0 == "#" }
      }
      return line
    }
  }

  /// Returns the rows, all of one width. A stale number is drawn in a lighter pattern, which is visible without colour.
  func rows(_ size: Size, unicode: Bool, isStale: Bool) -> [String] {
    switch size {
    case .large:
      let solid = unicode ? (isStale ? "░░" : "██") : (isStale ? "::" : "##")
      return pixels.map { $0.map { $0 ? solid : "  " }.joined() }
    case .small:
      return stride(from: 0, to: Self.pixelRows, by: 2).map { row in
        zip(pixels[row], row + 1 < Self.pixelRows ? pixels[row + 1] : pixels[row].map { _ in false }).map {
          top, bottom in
          if isStale { return top || bottom ? "░" : " " }
          return top && bottom ? "█" : top ? "▀" : bottom ? "▄" : " "
        }.joined()
      }
    }
  }

  private static func glyph(_ character: Character) -> [String] {
    switch character {
    case "0": ["###", "# #", "# #", "# #", "###"]
    case "1": [" # ", "## ", " # ", " # ", "###"]
    case "2": ["###", "  #", "###", "#  ", "###"]
    case "3": ["###", "  #", "###", "  #", "###"]
    case "4": ["# #", "# #", "###", "  #", "  #"]
    case "5": ["###", "#  ", "###", "  #", "###"]
    case "6": ["###", "#  ", "###", "# #", "###"]
    case "7": ["###", "  #", "  #", "  #", "  #"]
    case "8": ["###", "# #", "###", "# #", "###"]
    case "9": ["###", "# #", "###", "  #", "###"]
    default: ["   ", "   ", "###", "   ", "   "]
    }
  }
}

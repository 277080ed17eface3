import TachogramCore

/// The name of a strap or person, cleaned for display. Any device in radio range can choose the name of a strap.
package struct GlanceName: Hashable, Sendable {
  /// The number of scalars of a name that are read.
  private static let longest = 256
  /// The number of combining marks on a letter that are kept.
  private static let mostMarks = 2
  /// The number of characters in a line of text.
  private static let longestPlain = 24
  /// The punctuation that no status bar interprets. tmux interprets `#`, polybar `%{`, conky `${`, dzen `^`, waybar and i3bar
  /// `<` and `&`, xbar and Argos `|`.
  private static let plainPunctuation: Set<Unicode.Scalar> = [".", ",", "-", "_", "'", "(", ")", "/", ":", "+"]

  /// The name without control characters, direction overrides, characters without a glyph, stacked accents and repeated blanks.
  package let text: String

  /// Cleans a name. Returns `nil` if nothing visible remains.
  package init?(_ text: String) {
    var scalars = String.UnicodeScalarView()
    var marks = Self.mostMarks
    for scalar in text.unicodeScalars.prefix(Self.longest) {
      switch scalar.properties.generalCategory {
      case _ where scalar.value == 0x2800 || scalar.properties.isWhitespace:
        if scalars.last != " " { scalars.append(" ") }
        marks = Self.mostMarks
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: break
      case _ where scalar.properties.isDefaultIgnorableCodePoint: break
      case .nonspacingMark, .enclosingMark, .spacingMark:
        marks += 1
        if marks <= Self.mostMarks { scalars.append(scalar) }
      default:
        marks = 0
        scalars.append(scalar)
      }
    }
    let cleaned = Self.trimmed(String(scalars))
    guard !cleaned.isEmpty else { return nil }
    self.text = cleaned
  }

  /// The name for a status bar: letters, digits and harmless punctuation, at most 24 characters. All other characters become
  /// blanks; `nil` if nothing remains.
  package var plain: String? {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if Self.isPlain(scalar) {
        scalars.append(scalar)
      } else if scalars.last != " " {
        scalars.append(" ")
      }
    }
    let words = Self.trimmed(String(scalars))
    guard !words.isEmpty else { return nil }
    guard words.count > Self.longestPlain else { return words }
    return Self.trimmed(String(words.prefix(Self.longestPlain - 3))) + "..."
  }

  /// Returns the name, shortened with an ellipsis to a width in units at a font size in bold.
  func shortened(to width: Double, size: Double) -> String {
    guard TextWidth.of(text, size: size, isBold: true) > width else { return text }
    var shown = ""
    for character in text {
      guard TextWidth.of(shown + String(character) + "…", size: size, isBold: true) <= width else { break }
      shown.append(character)
    }
    return Self.trimmed(shown) + "…"
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      true
    default: plainPunctuation.contains(scalar)
    }
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.last == " " { rest.removeLast() }
    while rest.first == " " { rest.removeFirst() }
    return String(rest)
  }
}

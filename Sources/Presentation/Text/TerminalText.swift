import TachogramCore

/// Cleans text from outside for a terminal. Any device in radio range can choose the name of a strap: escape sequences,
/// direction overrides and stacked accents in it must not reach the terminal.
package enum TerminalText {
  /// The maximum length of a text, in Unicode scalars; longer text is truncated.
  private static let longest = 256
  /// The maximum number of combining marks on one letter.
  private static let mostMarks = 2

  /// Returns the text with `?` for every character that is not visible or has no known width. Removes marks beyond two on a
  /// letter, joiners and variation selectors, which terminals draw with different widths, and blanks at both ends.
  package static func safe(_ text: some StringProtocol) -> String {
    var result = ""
    var scalars = result.unicodeScalars
    var marks = mostMarks
    for scalar in text.unicodeScalars.prefix(longest) {
      switch kind(scalar) {
      case .visible:
        marks = 0
        scalars.append(scalar)
      case .mark:
        marks += 1
        if marks <= mostMarks { scalars.append(scalar) }
      case .blank:
        marks = mostMarks
        scalars.append(" ")
      case .letter(let letter):
        marks = mostMarks
        scalars.append(letter)
      case .ignored: break
      case .dangerous:
        marks = mostMarks
        scalars.append("?")
      }
    }
    while scalars.last == " " { scalars.removeLast() }
    while scalars.first == " " { scalars.removeFirst() }
    result.unicodeScalars = scalars
    return result
  }

  /// Returns the text as `safe` does; if the terminal supports only ASCII, with `?` for every other character.
  package static func safe(_ text: some StringProtocol, unicode: Bool) -> String {
    let safe = safe(text)
    guard !unicode else { return safe }
    var result = ""
    for character in safe { result.append(character.isASCII ? character : "?") }
    return result
  }

  /// Returns a message with `?` for characters that control a terminal, except line ends and tabs.
  package static func printable(_ text: String) -> String {
    guard text.utf8.contains(where: { !(0x20..<0x7F).contains($0) && $0 != 0x0A }) else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          scalar != "\n" && scalar != "\t" && ChosenName.isDangerous(scalar) ? "?" : scalar
        }))
  }

  /// Returns a line with `?` for characters that control a terminal, including line ends and tabs, which the name of a file may
  /// contain.
  package static func line(_ text: String) -> String {
    var line = ""
    for scalar in printable(text).unicodeScalars {
      line.unicodeScalars.append(scalar == "\n" || scalar == "\t" ? "?" : scalar)
    }
    return line
  }

  /// Returns the text without control characters but otherwise unchanged, for programs and for stored values.
  package static func withoutControls(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }

  private enum Kind {
    case visible, mark, blank, ignored, dangerous
    case letter(Unicode.Scalar)
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    switch scalar.value {
    case 0x20...0x7E: return scalar == " " ? .blank : .visible
    // Joiners, variation selectors and skin tones change the look of a neighbour, not the meaning.
    case 0x200B...0x200D, 0x2060, 0xFEFF, 0x00AD, 0xFE00...0xFE0F, 0xE0000...0xE01EF, 0x1F3FB...0x1F3FF: return .ignored
    // Regional indicators: a pair is a flag, which terminals draw two or four columns wide.
    case 0x1F1E6...0x1F1FF: return Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41).map(Kind.letter) ?? .dangerous
    // Vowels and final consonants of Hangul that join the letter before them.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return .dangerous
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return .mark
    case .spaceSeparator: return .blank
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return .dangerous
    default: return .visible
    }
  }
}

/// A name that somebody chose: of a person, of sessions, of a strap. The one rule for names, wherever they come from: the
/// command line, the page, a file. Blanks at the ends are no part of it.
package struct ChosenName: Hashable, Sendable {
  /// The longest, in characters of Unicode, as the schema of the page's API counts them.
  package static let longest = 100

  package let text: String

  /// Throws what is wrong with the text.
  package init(_ text: String) throws(ChosenNameError) {
    let name = Self.trimmed(text)
    if let scalar = name.unicodeScalars.first(where: Self.isDangerous) { throw .forbidden(scalar) }
    guard name.unicodeScalars.contains(where: Self.isVisible) else { throw .invisible }
    guard name.unicodeScalars.count <= Self.longest else {
      throw .tooLong(characters: name.unicodeScalars.count)
    }
    self.text = name
  }

  /// Whether a text is a name as it stands.
  package static func isName(_ text: String) -> Bool {
    (try? ChosenName(text).text.utf8.elementsEqual(text.utf8)) ?? false
  }

  /// Whether a scalar acts on a terminal or on the order of text, rather than being read.
  package static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Embeddings, overrides and isolates of direction.
    default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text.unicodeScalars[...]
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(String.UnicodeScalarView(rest))
  }

  /// White space, and spaces without width; joiners belong to the character before them.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || [0x200B, 0x2060, 0xFEFF, 0x00AD].contains(scalar.value)
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    // The pattern of Braille without dots.
    if scalar.properties.isDefaultIgnorableCodePoint || isBlank(scalar) || scalar.value == 0x2800 { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .nonspacingMark, .enclosingMark, .spacingMark: false
    default: true
    }
  }
}

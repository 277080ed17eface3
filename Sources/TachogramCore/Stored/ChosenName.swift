/// A validated name of a person, a session or a strap. The same rule applies to names from the command line, the page and
/// files. Leading and trailing blanks are removed.
package struct ChosenName: Hashable, Sendable {
  /// The maximum length in Unicode scalars, as the schema of the page's API counts them.
  package static let longest = 100

  package let text: String

  /// Creates a name from `text` without its leading and trailing blanks. Throws if the result is not a name.
  package init(_ text: String) throws(ChosenNameError) {
    try self.init(text, longest: Self.longest)
  }

  init(_ text: String, longest: Int) throws(ChosenNameError) {
    let name = Self.trimmed(text)
    if let scalar = name.unicodeScalars.first(where: Self.isDangerous) { throw .forbidden(scalar) }
    guard name.unicodeScalars.contains(where: Self.isVisible) else { throw .invisible }
    guard name.unicodeScalars.count <= longest else {
      throw .tooLong(characters: name.unicodeScalars.count)
    }
    self.text = name
  }

  /// Whether a text is a name without any change.
  package static func isName(_ text: String) -> Bool {
    (try? ChosenName(text).text.utf8.elementsEqual(text.utf8)) ?? false
  }

  /// Returns a name, which a device may have given itself, as pages and other programs show it. A name that was chosen is unchanged,
  /// up to eight marks on a letter. In others, scalars that are not allowed become `?`, and those beyond `longest` are left out. The
  /// result is empty if nothing is visible.
  package static func shown(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var marks = 0
    for scalar in trimmed(text).unicodeScalars.prefix(longest) {
      marks = isMark(scalar) ? marks + 1 : 0
      if marks <= mostMarks { scalars.append(isDangerous(scalar) ? "?" : scalar) }
    }
    return scalars.contains(where: isVisible) ? trimmed(String(scalars)) : ""
  }

  /// Returns the name of a strap for other systems and for screens that others see. The address that a strap without a name has
  /// instead does not leave the station: its number stands for it, counted from 1.
  package static func forOthers(_ name: String, strap: Int) -> String {
    BluetoothAddress(text: name) == nil ? name : "Strap \(strap + 1)"
  }

  /// The maximum number of marks on a letter of a shown name; no script needs as many.
  private static let mostMarks = 8

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
  }

  /// Whether a scalar controls a terminal or the direction of text.
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

  /// Whether a scalar is white space or a space without width. Joiners are not: they belong to the preceding character.
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

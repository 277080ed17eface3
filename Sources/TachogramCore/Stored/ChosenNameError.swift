/// The reason why a text is not a name.
package enum ChosenNameError: Error, Hashable {
  /// The text has no visible character.
  case invisible
  /// The text contains a character that controls a terminal or the direction of text.
  case forbidden(Unicode.Scalar)
  case tooLong(characters: Int)
}

extension ChosenNameError: CustomStringConvertible {
  /// The message to be shown after "name: ", ended with a full stop.
  package var description: String {
    switch self {
    case .invisible: return "a name has at least one visible character."
    case .forbidden(let scalar):
      return "a name has no line ends, control characters and marks of direction; this one has \(Self.code(scalar))."
    case .tooLong(let characters):
      return "a name has up to \(ChosenName.longest) characters, this one has \(characters)."
    }
  }

  /// Returns the code of a character, such as U+001B.
  static func code(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// The reason why a text is not a note.
package enum SessionNoteError: Error, Hashable {
  /// The text has no visible character.
  case invisible
  /// The text contains a character that controls a terminal or the direction of text.
  case forbidden(Unicode.Scalar)
  case tooLong(characters: Int)
}

extension SessionNoteError: CustomStringConvertible {
  /// The message to be shown after "note: ", ended with a full stop.
  package var description: String {
    switch self {
    case .invisible: "a note has at least one visible character."
    case .forbidden(let scalar):
      "a note has no control characters and marks of direction; this one has \(ChosenNameError.code(scalar))."
    case .tooLong(let characters):
      "a note has up to \(SessionNote.longest) characters, this one has \(characters)."
    }
  }
}

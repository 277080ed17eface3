import ArgumentParser

/// Reads an option that names somebody or something: a person, or what sessions are called.
enum NameOption {
  /// As long as the page's API takes.
  static let longest = 100

  /// Throws what the person is told when the text is no name.
  static func name(_ text: String) throws -> String {
    guard !text.allSatisfy(\.isWhitespace) else {
      throw ValidationError("an empty text is no name; leave the option out for none.")
    }
    guard text.count <= longest else {
      throw ValidationError("a name has up to \(longest) characters, this one has \(text.count).")
    }
    return text
  }
}

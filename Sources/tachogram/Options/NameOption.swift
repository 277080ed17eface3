import ArgumentParser
import TachogramCore

/// Reads an option that names somebody or something: a person, or what sessions are called.
enum NameOption {
  /// A name that is to be stored; throws a validation error when the text is not valid.
  static func name(_ text: String) throws -> String {
    do {
      return try ChosenName(text).text
    } catch {
      throw ValidationError("\(error)\(Self.hint(text))")
    }
  }

  /// A name that may be stored: earlier versions took others, which are found as they are.
  static func stored(_ text: String) throws -> String {
    guard !text.allSatisfy(\.isWhitespace) else {
      throw ValidationError("the name is empty; omit the option instead.")
    }
    guard text.count <= ChosenName.longest else {
      throw ValidationError("\(ChosenNameError.tooLong(characters: text.count))")
    }
    return text
  }

  private static func hint(_ text: String) -> String {
    text.allSatisfy(\.isWhitespace) ? " Leave the option out for none." : ""
  }
}

import ArgumentParser
import TachogramCore

/// Parses options that are names of persons or labels of sessions.
enum NameOption {
  /// Returns a name to be stored. Throws a validation error if the text is not a name.
  static func name(_ text: String) throws -> String {
    do {
      return try ChosenName(text).text
    } catch {
      throw ValidationError("\(error)\(Self.hint(text))")
    }
  }

  /// Returns a name to search for. Earlier versions accepted other names, which are found unchanged.
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

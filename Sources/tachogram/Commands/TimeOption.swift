import ArgumentParser
import TachogramCore

/// Reads an option that is a time.
enum TimeOption {
  /// Throws what the person is told when the text is no time.
  static func time(_ text: String) throws -> WallTime {
    guard let time = Timestamp.time(text) else {
      throw ValidationError("\"\(text)\" is no time. Give one as in 2026-03-29T01:02:03Z.")
    }
    return time
  }
}

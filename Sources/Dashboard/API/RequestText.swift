import TachogramCore

/// Parses texts in requests; an error names the parameter or key.
enum RequestText {
  static func time(_ text: String, _ name: String) throws -> WallTime {
    guard let time = Timestamp.time(text) else {
      throw DashboardError.badRequest("\(name) is a time like 2026-03-29T01:02:03Z.")
    }
    return time
  }

  /// Whether a text has the form of the identifier of a session, a marker or a reading.
  static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.utf8.allSatisfy { ($0 >= 48 && $0 <= 57) || ($0 >= 97 && $0 <= 102) || $0 == 45 }
  }
}

/// The abilities of a terminal according to the environment.
package struct TerminalStyle: Hashable, Sendable {
  package var colour: Bool
  /// Whether the terminal can draw more than ASCII: block characters and Braille.
  package var unicode: Bool

  package init(colour: Bool, unicode: Bool) {
    self.colour = colour
    self.unicode = unicode
  }

  /// Reads `NO_COLOR` (no-color.org), `TERM` and the locale. The Linux console has a UTF-8 locale, but no Braille in
  /// its font.
  package init(environment: [String: String], isTerminal: Bool) {
    let term = environment["TERM"] ?? ""
    colour = isTerminal && !Self.isDumb(term) && (environment["NO_COLOR"] ?? "").isEmpty
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }?.uppercased() ?? ""
    unicode = term != "linux" && (locale.contains("UTF-8") || locale.contains("UTF8"))
  }

  /// Whether the terminal supports cursor movement, which a full screen requires.
  package static func hasScreen(environment: [String: String], isTerminal: Bool) -> Bool {
    isTerminal && !isDumb(environment["TERM"] ?? "")
  }

  private static func isDumb(_ term: String) -> Bool { term.isEmpty || term == "dumb" }
}

import Presentation

/// The control sequences in use (ECMA-48; xterm, "Control Sequences"; the synchronised update is DEC private mode
/// 2026).
package enum TerminalCode {
  package static let beginUpdate = "\u{1B}[?2026h"
  package static let endUpdate = "\u{1B}[?2026l"
  package static let clear = "\u{1B}[0m\u{1B}[2J"
  package static let plain = "\u{1B}[0m"
  package static let eraseToEnd = "\u{1B}[K"

  /// Enters the alternate screen without cursor and line wrapping: a line that is wider than computed must not displace others.
  package static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J"
  /// Undoes `enter`. A `StaticString`, because a signal handler writes it.
  package static let leave: StaticString = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Returns the sequence that moves to the beginning of a row, from 0.
  package static func move(toRow row: Int) -> String { "\u{1B}[\(row + 1);1H" }

  /// Returns the width of a line in columns, without its Select Graphic Rendition sequences.
  package static func width(_ line: String) -> Int {
    DisplayWidth.columns(withoutLooks(line))
  }

  /// Returns a line without its Select Graphic Rendition sequences.
  static func withoutLooks(_ line: String) -> String {
    guard line.utf8.contains(0x1B) else { return line }
    var result = String.UnicodeScalarView()
    var isInside = false
    for scalar in line.unicodeScalars {
      if isInside {
        isInside = scalar != "m"
      } else if scalar == "\u{1B}" {
        isInside = true
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

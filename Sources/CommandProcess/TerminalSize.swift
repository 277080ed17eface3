import Glibc

/// The size of a terminal in character cells.
package struct TerminalSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  /// The size of a terminal that does not report one.
  package static let fallback = TerminalSize(columns: 80, rows: 24)

  /// Returns the size of a terminal, or a standard size if it is not known.
  package static func of(_ terminal: Int32) -> TerminalSize {
    var window = winsize()
    guard ioctl(terminal, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return .fallback
    }
    return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }
}

/// The size of a terminal in character cells.
struct TerminalSize: Hashable, Sendable {
  var columns: Int
  var rows: Int

  /// What a terminal is taken for that does not tell its size.
  static let standard = TerminalSize(columns: 80, rows: 24)
}

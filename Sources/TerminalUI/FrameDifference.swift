import CommandProcess

/// What has to be written so that a screen which shows one frame shows the next.
struct FrameDifference: Sendable {
  private var shown: [String]?
  private var size: TerminalSize?

  init() {}

  /// Forgets what is shown: the next frame is drawn whole.
  mutating func invalidate() {
    shown = nil
  }

  /// Returns the output for the changed lines, within one synchronised update, so that no partial frame is visible; empty if
  /// nothing has changed. Lines beyond the screen are left out.
  mutating func update(to lines: [String], size: TerminalSize) -> String {
    let lines = Array(lines.prefix(max(0, size.rows)))
    let old = size == self.size ? shown : nil
    var text = old == nil ? TerminalCode.clear : ""
    for row in 0..<max(lines.count, old?.count ?? 0) {
      let line = row < lines.count ? lines[row] : ""
      let before = old.map { row < $0.count ? $0[row] : "" } ?? ""
      guard line != before else { continue }
      text += TerminalCode.move(toRow: row) + line + TerminalCode.plain
      // With the cursor behind a full line, "erase to the end" would take its last character away.
      if TerminalCode.width(line) < size.columns { text += TerminalCode.eraseToEnd }
    }
    shown = lines
    self.size = size
    return text.isEmpty ? "" : TerminalCode.beginUpdate + text + TerminalCode.endUpdate
  }
}

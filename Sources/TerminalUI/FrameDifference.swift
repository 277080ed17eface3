import CommandProcess

/// The output that changes one frame on the screen to the next.
struct FrameDifference: Sendable {
  private var shown: [String]?
  private var size: TerminalSize?

  init() {}

  /// Discards the shown frame, so that the next one is drawn completely.
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
      // With the cursor after a full line, "erase to the end" would erase its last character.
      if TerminalCode.width(line) < size.columns { text += TerminalCode.eraseToEnd }
    }
    shown = lines
    self.size = size
    return text.isEmpty ? "" : TerminalCode.beginUpdate + text + TerminalCode.endUpdate
  }
}

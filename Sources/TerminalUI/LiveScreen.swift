import CommandProcess
import Presentation

/// The live view as lines of text: a pure function of the readings, the size and the style.
///
/// Straps are side by side while each has 38 columns, and in rows below each other. If there are more straps than lines, the
/// last line shows the number of hidden straps.
package struct LiveScreen: Sendable {
  /// The interval of drawing, so that a stale reading is marked within a quarter of a second.
  package static let interval = Duration.milliseconds(250)
  private static let narrowestPanel = 38
  /// The height of a panel from which on a rule separates two panels below each other.
  private static let heightWithRule = 7
  private static let heightWithFooter = 8

  package var size: TerminalSize
  package var style: TerminalStyle

  package init(size: TerminalSize, style: TerminalStyle) {
    (self.size, self.style) = (size, style)
  }

  /// Returns as many lines as the screen has rows, none wider than its columns. `notice` is a message for people, such as a
  /// full disk, and is shown in the last line.
  package func lines(_ readings: [LiveReading], notice: String? = nil) -> [String] {
    let columns = max(0, min(size.columns, 10_000))
    let rows = max(0, min(size.rows, 10_000))
    guard columns > 0 else { return [String](repeating: "", count: rows) }
    let footer = footer(rows: rows, isEmpty: readings.isEmpty, notice: notice)
    var lines = grid(readings, columns: columns, rows: rows - (footer == nil ? 0 : 1))
    if let footer {
      while lines.count < rows - 1 { lines.append(StyledText()) }
      lines.append(footer)
    }
    while lines.count < rows { lines.append(StyledText()) }
    return lines.prefix(rows).map { $0.clipped(to: columns).rendered(colour: style.colour) }
  }

  private func footer(rows: Int, isEmpty: Bool, notice: String?) -> StyledText? {
    if let notice, rows >= 2 || isEmpty {
      return StyledText("! \(TerminalText.safe(notice, unicode: style.unicode))", .notice)
    }
    return rows >= Self.heightWithFooter ? StyledText("q or Ctrl-C ends", .faint) : nil
  }

  // MARK: - Panels

  private func grid(_ readings: [LiveReading], columns: Int, rows: Int) -> [StyledText] {
    guard rows > 0 else { return [] }
    guard !readings.isEmpty else { return [StyledText("no strap yet", .faint)] }
    let separator = StyledText(style.unicode ? " │ " : " | ", .faint)
    let across = max(1, min(readings.count, (columns + separator.width) / (Self.narrowestPanel + separator.width)))
    let width = (columns - (across - 1) * separator.width) / across
    let bands = (readings.count + across - 1) / across
    let shownBands = bands <= rows ? bands : max(1, rows - 1)
    let hidden = readings.count - shownBands * across
    let available = rows - (hidden > 0 && rows > 1 ? 1 : 0)
    let hasRule = shownBands > 1 && (available - (shownBands - 1)) / shownBands >= Self.heightWithRule
    let height = max(1, (available - (hasRule ? shownBands - 1 : 0)) / shownBands)

    var lines: [StyledText] = []
    for band in 0..<shownBands {
      if band > 0, hasRule {
        lines.append(StyledText(String(repeating: style.unicode ? "─" : "-", count: columns), .faint))
      }
      let panels = readings.dropFirst(band * across).prefix(across).map {
        LivePanel($0, style: style).lines(width: width, height: height)
      }
      // The last band may be as high as its contents; the height of those above is fixed, so that they do not move.
      for row in 0..<(shownBands == 1 ? panels.map(\.count).max() ?? 0 : height) {
        var line = StyledText()
        for (index, panel) in panels.enumerated() {
          if index > 0 { line += separator }
          let cell = row < panel.count ? panel[row] : StyledText()
          line += index < panels.count - 1 ? cell.fitted(to: width) : cell
        }
        lines.append(line)
      }
    }
    if hidden > 0, rows > 1 { lines.append(StyledText("and \(hidden) more", .notice)) }
    return lines
  }
}

import Pipeline
import Presentation
import TachogramCore

/// The corrected RR intervals of a whole recording as a small plot for a terminal: the lowest and the highest of each column,
/// gaps as dashed vertical lines, and below the curve marks for details that are too short to be visible in it.
package struct RRPlot {
  /// The number of columns if standard output is not a terminal.
  package static let columnsWithoutTerminal = 72
  private static let indent = 12
  private static let height = 6
  private static let narrowest = 20
  private static let widest = 200

  private let rows: [StyledText]

  /// Creates the plot in `columns` columns including its labels, or returns `nil` for a series without intervals.
  package init?(_ trace: SeriesTrace, columns: Int, unicode: Bool) {
    let width = min(Self.widest, max(Self.narrowest, columns - Self.indent))
    guard let span = SeriesSpan(trace),
      let scale = ValueScale(trace.corrected.map(\.milliseconds), atLeast: 100)
    else { return nil }
    var canvas = TraceCanvas(width: width, height: Self.height, unicode: unicode)
    Self.draw(trace.corrected, span, scale, on: &canvas)
    for gap in span.gaps { Self.draw(gap, span, on: &canvas) }
    let signs = [
      trace.raw.contains { $0.beatClass != .normal } ? "\(TraceCanvas.markSign(unicode: unicode)) artifacts" : nil,
      span.gaps.isEmpty ? nil : "\(TraceCanvas.gapSign(unicode: unicode)) gaps",
    ].compactMap(\.self)
    var rows = [Self.row("RR", StyledText((["corrected, ms over time"] + signs).joined(separator: ", ")))]
    for (place, row) in canvas.rows().enumerated() {
      let value = place == 0 ? scale.high : place == Self.height - 1 ? scale.low : nil
      rows.append(Self.row(value.map { "    " + Self.padded("\(Int($0.rounded()))", 4) } ?? "", row))
    }
    if let marks = Self.marks(trace.raw, span, width: width, unicode: unicode) { rows.append(Self.row("", marks)) }
    let end = ElapsedTime.text(span.seconds)
    rows.append(Self.row("", StyledText("0:00" + Self.padded(end, max(end.count + 1, width - 4)))))
    self.rows = rows.map { $0.clipped(to: max(columns, Self.indent + Self.narrowest)) }
  }

  /// Returns the lines with their line ends, with escape sequences only for a colour terminal.
  package func text(colour: Bool) -> String {
    rows.map { (colour ? $0.rendered(colour: true) : $0.plain) + "\n" }.joined()
  }

  // MARK: - Drawing

  private static func draw(
    _ intervals: [SeriesTrace.Interval], _ span: SeriesSpan, _ scale: ValueScale, on canvas: inout TraceCanvas
  ) {
    let columns = SeriesColumns(intervals, over: span, columns: canvas.width * canvas.cellColumns).columns
    let levels = canvas.levels
    func level(_ value: Double) -> Int { Int((scale.share(value) * Double(levels - 1)).rounded()) }
    for (place, column) in columns.enumerated() {
      guard let column else { continue }
      for dot in level(column.low)...level(column.high) { canvas.set(column: place, level: dot) }
    }
  }

  /// Draws a gap in every column that it touches, except in columns that also have intervals.
  private static func draw(_ gap: SeriesSpan.Gap, _ span: SeriesSpan, on canvas: inout TraceCanvas) {
    for cell in span.column(of: gap.start, of: canvas.width)...span.column(of: gap.end, of: canvas.width) {
      canvas.drawGap(cell: cell, isBehind: true)
    }
  }

  /// Returns marks for all artifacts and gaps, however short, or `nil` if there are none.
  private static func marks(
    _ intervals: [SeriesTrace.Interval], _ span: SeriesSpan, width: Int, unicode: Bool
  ) -> StyledText? {
    var signs = [(sign: String, style: TextStyle)](repeating: (" ", .plain), count: width)
    for interval in intervals where interval.beatClass != .normal {
      signs[span.column(of: interval.end, of: width)] = (TraceCanvas.markSign(unicode: unicode), .bad)
    }
    for gap in span.gaps {
      for cell in span.column(of: gap.start, of: width)...span.column(of: gap.end, of: width) {
        signs[cell] = (TraceCanvas.gapSign(unicode: unicode), .faint)
      }
    }
    guard signs.contains(where: { $0.sign != " " }) else { return nil }
    var text = StyledText()
    for (sign, style) in signs { text.append(sign, style) }
    return text
  }

  private static func row(_ label: String, _ value: StyledText) -> StyledText {
    StyledText("  " + label + String(repeating: " ", count: max(1, indent - 2 - label.count))) + value
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

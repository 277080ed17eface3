import BlueZ
import CommandProcess
import GATT
import Listening
import Presentation
import TachogramCore

/// The broadcasting straps as a table: a pure function of the rows, the size and the style. If the screen is too small, several
/// columns are used, and the last line counts the rows that do not fit.
struct BroadcastTable: Sendable {
  private static let widths = (strap: 24, rate: 8, contact: 13, signal: 14, age: 7, state: 11)
  private static let shortestName = 8
  private static let narrowest = 31
  private static let gap = "   "

  let size: TerminalSize
  let style: TerminalStyle
  private var words: LiveWording { LiveWording(unicode: style.unicode) }

  /// Returns as many lines as the screen has rows, none wider than its columns.
  func lines(_ board: BroadcastBoard, at time: MonotonicTime, notice: String? = nil) -> [String] {
    let columns = max(0, min(size.columns, 10_000))
    let height = max(0, min(size.rows, 10_000))
    guard columns > 0, height > 0 else { return [String](repeating: "", count: height) }
    let rows = board.rows(at: time)
    let footer = height >= 3 || notice != nil ? footer(board, notice) : nil
    var lines = body(rows, board, columns, height - (footer == nil ? 0 : 1))
    while lines.count < height - (footer == nil ? 0 : 1) { lines.append(StyledText()) }
    if let footer { lines.append(footer) }
    return lines.prefix(height).map { $0.clipped(to: columns).rendered(colour: style.colour) }
  }

  private func footer(_ board: BroadcastBoard, _ notice: String?) -> StyledText {
    if let notice { return StyledText("! \(TerminalText.safe(notice, unicode: style.unicode))", .notice) }
    let others = board.others > 0 ? "   \(board.others) not shown, since not asked for (--all)" : ""
    return StyledText("q or Ctrl-C ends   averages without RR: no HRV, no stress\(others)", .faint)
  }

  private func body(_ rows: [BroadcastRow], _ board: BroadcastBoard, _ columns: Int, _ height: Int) -> [StyledText] {
    var lines: [StyledText] = []
    if let obstacle = board.obstacle {
      lines.append(StyledText("! \(LinkWording.text(obstacle))", .bad))
    }
    if rows.isEmpty {
      if lines.isEmpty { lines.append(StyledText("no strap broadcasts yet", .faint)) }
      return Array(lines.prefix(height))
    }
    let room = max(1, height - lines.count - 1)
    let most = max(1, (columns + Self.gap.count) / (Self.narrowest + Self.gap.count))
    let across = min(most, (rows.count + room - 1) / room)
    let width = (columns - (across - 1) * Self.gap.count) / across
    let shown = rows.count <= across * room ? rows.count : across * max(1, room - 1)
    let deep = (shown + across - 1) / across
    var head = StyledText()
    for column in 0..<across { head += (column == 0 ? "" : StyledText(Self.gap)) + heading(width) }
    lines.append(head)
    for line in 0..<deep {
      var text = StyledText()
      for column in 0..<across where column * deep + line < shown {
        text += (column == 0 ? "" : StyledText(Self.gap)) + cells(rows[column * deep + line], width)
      }
      lines.append(text)
    }
    if shown < rows.count { lines.append(StyledText("and \(rows.count - shown) more", .notice)) }
    return Array(lines.prefix(height))
  }

  // MARK: - One strap

  /// Returns the columns beside the name that fit, the most important first. Without a column for the contact, missing contact
  /// replaces the age.
  private func columns(_ width: Int) -> (name: Int, others: [Int], hasContact: Bool) {
    let wide = [Self.widths.rate, Self.widths.age, Self.widths.signal, Self.widths.contact]
    let sum = wide.reduce(Self.shortestName, +)
    if width >= sum { return (min(Self.widths.strap, width - sum + Self.shortestName), wide, true) }
    var others: [Int] = []
    var left = width - Self.shortestName
    for column in [Self.widths.rate, Self.widths.state, Self.widths.signal] where left >= column {
      others.append(column)
      left -= column
    }
    return (max(0, min(Self.widths.strap, width - others.reduce(0, +))), others, false)
  }

  private func heading(_ width: Int) -> StyledText {
    line(width, "strap", ["rate", "age", "signal", "contact"]).styled(.faint)
  }

  private func cells(_ row: BroadcastRow, _ width: Int) -> StyledText {
    let safe = TerminalText.safe(row.strap, unicode: style.unicode)
    let content = row.last.content
    let seconds = "\(LiveWording.seconds(row.age)) s"
    let contact = words.contact(content.contact)
    var age = StyledText(seconds, row.isStale ? .bad : .plain)
    if !columns(width).hasContact, content.contact == .notDetected, !row.isStale {
      age = StyledText("no contact", .bad)
    }
    let rate = row.isStale ? StyledText("stale", .bad) : StyledText("\(content.heartRate) bpm", .strong)
    let signal = words.signal(row.last.signal.map { Int8(clamping: $0) })
    return line(width, StyledText(safe.isEmpty ? "no name" : safe), [rate, age, signal, contact])
  }

  private func line(_ width: Int, _ name: StyledText, _ others: [StyledText]) -> StyledText {
    let columns = columns(width)
    var line = StyledText()
    if columns.name > 0 { line += name.fitted(to: columns.name - 1) + " " }
    for (text, width) in zip(others, columns.others) { line += text.fitted(to: width - 1) + " " }
    return line.fitted(to: width)
  }
}

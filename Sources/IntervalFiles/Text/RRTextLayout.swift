/// Where in the lines of a file the intervals stand.
struct RRTextLayout {
  var format: RRSeriesFormat
  var fields: RRTextFields
  /// Columns of a line. Below headings it may have fewer, without them it has exactly these.
  var columns: Int
  /// The column of the intervals, from 0.
  var column: Int
  var timeColumn: Int?
  /// Whether the first of the times is written as a moment, and not as a number.
  var timesAreMoments = false
  var heading: RRTextHeading?
  /// The unit that the headings give.
  var unit: RRTextDialect.Unit?
  /// How many columns have a heading as good.
  var alikeColumns = 1
  /// The line of the headings, or the first of intervals, as an index.
  var start: Int
  /// Whether a heading names the column in its table.
  var isTable: Bool

  /// What a line says, of which it is known that it is neither blank nor a comment.
  enum Content {
    case numbers(value: Double, time: Double?)
    /// The cell of the interval is empty.
    case empty
    /// A line of headings once more.
    case headings
    case other(String)
  }

  func content(_ line: ArraySlice<UInt8>) -> Content {
    let cells = fields.split(line)
    if isTable {
      guard cells.count <= columns else { return .other("\(cells.count) columns instead of \(columns)") }
    } else if cells.count != columns {
      // Empty cells at the end are left out.
      let isCutShort = cells.count < columns && separator.map(line.contains) == true
      if isCutShort { return .empty }
      let hasNumber = columns > 1 && cells.contains { fields.number($0) != nil }
      return .other(hasNumber ? "\(cells.count) columns instead of \(columns)" : "not a number")
    }
    guard column < cells.count, !cells[column].isEmpty else { return .empty }
    if let value = fields.number(cells[column]) {
      return .numbers(value: value, time: timeColumn.flatMap { $0 < cells.count ? time(cells[$0]) : nil })
    }
    let isHeading = heading != nil && RRTextHeading(cells[column]) == heading
    return isHeading || RRTextHeading.announcesSeries(RRTextFields.trimmed(line)) ? .headings : .other("not a number")
  }

  /// Whether a line is a row, and none of units, rules or bytes of another kind: there is a number in it, or a word that stands
  /// for one.
  func isRow(_ line: ArraySlice<UInt8>) -> Bool {
    fields.split(line).contains { time($0) != nil || RRTextMissingValue.isWritten(in: $0) }
  }

  /// The byte between two cells, where each one ends a cell.
  private var separator: UInt8? { fields.separator == .blanks ? nil : fields.separator.byte }

  /// The time in a cell: a number as it is, or a moment in seconds.
  func time(_ cell: ArraySlice<UInt8>) -> Double? {
    fields.number(cell) ?? RRTextTime.seconds(cell)
  }
}

/// Where in the lines of a file the intervals stand.
struct RRTextLayout {
  var format: RRSeriesFormat
  var fields: RRTextFields
  /// Columns of a line. Below headings it may have fewer, without them it has exactly these.
  var columns: Int
  /// The column of the intervals, from 0.
  var column: Int
  var timeColumn: Int?
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
    case blank
    /// A line of headings once more.
    case headings
    case other(String)
  }

  func content(_ line: ArraySlice<UInt8>) -> Content {
    let cells = fields.split(line)
    if isTable {
      guard cells.count <= columns else { return .other("\(cells.count) columns instead of \(columns)") }
      guard column < cells.count, !cells[column].isEmpty else { return .blank }
    } else {
      guard cells.count == columns else { return .other("not a number") }
    }
    if let value = fields.number(cells[column]) {
      return .numbers(value: value, time: timeColumn.flatMap { $0 < cells.count ? time(cells[$0]) : nil })
    }
    let isHeading = heading != nil && RRTextHeading(cells[column]) == heading
    return isHeading || RRTextHeading.announcesSeries(RRTextFields.trimmed(line)) ? .headings : .other("not a number")
  }

  /// The time in a cell: a number as it is, or a moment in seconds.
  func time(_ cell: ArraySlice<UInt8>) -> Double? {
    fields.number(cell) ?? RRTextTime.seconds(cell)
  }
}

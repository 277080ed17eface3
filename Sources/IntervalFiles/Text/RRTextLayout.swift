/// The position of the intervals in the lines of a file.
struct RRTextLayout {
  var format: RRSeriesFormat
  var fields: RRTextFields
  /// The number of columns of a line. Lines below headings may have fewer columns; without headings they have exactly these.
  var columns: Int
  /// The column of the intervals, from 0.
  var column: Int
  var timeColumn: Int?
  /// Whether the first of the times is written as a moment, not as a number.
  var timesAreMoments = false
  var heading: RRTextHeading?
  /// The unit in the headings.
  var unit: RRTextDialect.Unit?
  /// The number of columns with an equally good heading.
  var alikeColumns = 1
  /// The index of the line of headings, or of the first line of intervals.
  var start: Int
  /// Whether a heading names the column.
  var isTable: Bool

  /// The content of a line that is neither blank nor a comment.
  enum Content {
    case numbers(value: Double, time: Double?)
    /// The cell of the interval is empty.
    case empty
    /// A repetition of the headings.
    case headings
    case other(String)
  }

  func content(_ line: ArraySlice<UInt8>) -> Content {
    let cells = fields.split(line)
    if isTable {
      guard cells.count <= columns else { return .other("\(cells.count) columns instead of \(columns)") }
    } else if cells.count != columns {
      // Empty cells at the end are omitted.
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

  /// Whether a line is a row rather than units, rules or binary data: it contains a number, or a word that represents one.
  func isRow(_ line: ArraySlice<UInt8>) -> Bool {
    fields.split(line).contains { time($0) != nil || RRTextMissingValue.isWritten(in: $0) }
  }

  /// The byte that separates two cells, or `nil` if cells are separated by blanks.
  private var separator: UInt8? { fields.separator == .blanks ? nil : fields.separator.byte }

  /// Returns the time in a cell: a number unchanged, or a moment in seconds.
  func time(_ cell: ArraySlice<UInt8>) -> Double? {
    fields.number(cell) ?? RRTextTime.seconds(cell)
  }
}

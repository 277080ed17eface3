import Statistics
import TachogramCore

/// Detects the notation of numbers without headings, either alone or after a time.
struct RRTextPlainSearch {
  /// The range of plausible medians of intervals, in ms: 400 to 15 bpm, wide enough for athletes and infants.
  static let plausible = 150.0...4000.0
  /// The share of steps in time that must be about as long as the intervals for a column to contain times.
  private static let addsUp = 0.6
  /// The least share of whole numbers among decimals. With one digit after the comma, a tenth of them are whole numbers; with
  /// two, a tenth of these end in 0.
  private static let someWhole = 0.05
  /// The least number of different digits that identifies decimals.
  private static let fewestTenths = 4
  /// The greatest length in bytes of a row with a moment and a number, including surrounding characters.
  private static let longestRow = 512

  private let lines: [ArraySlice<UInt8>]
  /// The line of a heading that names one column.
  private let heading: Int?

  init(_ lines: [ArraySlice<UInt8>], heading: Int?) {
    self.lines = lines
    self.heading = heading
  }

  func layout() throws(RRSeriesRefusal) -> RRTextLayout? {
    var best: (fields: RRTextFields, columns: Int, rows: [Int])?
    var split: [Int] = []
    let written = lines.count { !$0.isEmpty }
    search: for decimal in RRTextDialect.Decimal.allCases {
      for separator in RRTextDialect.Separator.allCases where separator != .comma || decimal == .point {
        let fields = RRTextFields(separator: separator, decimal: decimal)
        for columns in separator == .none ? 1...1 : 1...2 {
          let rows = lines.indices.filter { isRow(lines[$0], fields, columns) }
          if separator == .comma, columns == 2 { split = rows }
          if rows.count > best?.rows.count ?? 0 { best = (fields, columns, rows) }
          // A file that contains only numbers is recognised at once.
          if separator == .none, rows.count == written { break search }
        }
      }
    }
    guard let found = best, let first = found.rows.first else { return nil }
    var (fields, columns) = (found.fields, found.columns)
    let isSplit = fields.separator == .comma && columns == 2
    if isSplit || fields.decimal == .comma && columns == 1 && split.count * 2 > found.rows.count {
      let isDecided = isOneColumn(found.rows, split)
      columns = try isTwoColumns(split, isDecided: isDecided) ? 2 : 1
      fields =
        columns == 2
        ? RRTextFields(separator: .comma, decimal: .point) : RRTextFields(separator: .none, decimal: .comma)
    }
    // A row without an interval may also begin a text.
    var start = first
    while let above = lines[..<start].lastIndex(where: { !$0.isEmpty }), isRowWithoutAll(lines[above], fields, columns)
    {
      start = above
    }
    var layout = RRTextLayout(
      format: .rrText, fields: fields, columns: columns, column: columns - 1, timeColumn: columns == 2 ? 0 : nil,
      start: start, isTable: false)
    layout.timesAreMoments = columns == 2 && fields.number(fields.split(lines[first])[0]) == nil
    return layout
  }

  /// Whether a line consists of `columns` numbers, of which the first may be a moment.
  private func isRow(_ line: ArraySlice<UInt8>, _ fields: RRTextFields, _ columns: Int) -> Bool {
    guard !line.isEmpty, line.count <= Self.longestRow, columns == 2 || fields.separator.byte.map(line.contains) ?? true
    else { return false }
    let cells = fields.split(line)
    guard cells.count == columns, fields.number(cells[columns - 1]) != nil else { return false }
    return columns == 1 || fields.number(cells[0]) != nil || RRTextTime.seconds(cells[0]) != nil
  }

  /// Whether a line is a row with at least one number that is marked as missing.
  private func isRowWithoutAll(_ line: ArraySlice<UInt8>, _ fields: RRTextFields, _ columns: Int) -> Bool {
    var cells = fields.split(line)
    // Empty cells at the end are omitted.
    if cells.count < columns, fields.separator != .blanks, fields.separator.byte.map(line.contains) == true {
      cells.append([])
    }
    guard cells.count == columns, !cells.allSatisfy(\.isEmpty) else { return false }
    if columns == 1 { return RRTextMissingValue.isWritten(in: cells[0]) }
    return cells.allSatisfy { $0.isEmpty || RRTextMissingValue.isWritten(in: $0) || fields.number($0) != nil }
      || RRTextTime.seconds(cells[0]) != nil && (cells[1].isEmpty || RRTextMissingValue.isWritten(in: cells[1]))
  }

  // MARK: - Commas

  /// Whether enough rows have no comma to show that the commas in the others are decimal commas. A single row may have lost its
  /// second column.
  private func isOneColumn(_ rows: [Int], _ split: [Int]) -> Bool {
    guard let first = split.first else { return false }
    let others = Set(rows).subtracting(split).count { $0 > first }
    return others > 0 && Double(others) >= Self.someWhole * Double(rows.count)
  }

  /// Whether commas separate two columns rather than decimals. Throws an error if both are possible. `isDecided` means that
  /// other rows show that there is one column.
  private func isTwoColumns(_ rows: [Int], isDecided: Bool) throws(RRSeriesRefusal) -> Bool {
    let whole = RRTextFields(separator: .none, decimal: .comma)
    let pair = RRTextFields(separator: .comma, decimal: .point)
    let decimals = rows.compactMap { whole.number(RRTextFields.bare(lines[$0])) }
    // A decimal point or a moment in any row means that the commas are not decimal commas.
    guard decimals.count == rows.count else { return true }
    let pairs = rows.compactMap { index -> (time: Double, value: Double)? in
      let cells = pair.split(lines[index])
      guard cells.count == 2, let time = pair.number(cells[0]), let value = pair.number(cells[1]) else { return nil }
      return (time, value)
    }
    let canBeDecimals = Self.isPlausible(decimals)
    guard canBeDecimals else { return true }
    // A heading of one column decides.
    let isOneColumn = isDecided || rows.first.map { $0 > heading ?? .max } ?? false
    guard Self.isPlausible(pairs.map(\.value)) else {
      if !isOneColumn, canBeWholeNumbers(rows) { throw .ambiguousComma(line: rows[0] + 1) }
      return false
    }
    let steps = zip(pairs, pairs.dropFirst()).map { ($1.time - $0.time, $1.value) }
    let fitting = [1.0, 1000].map { scale in
      steps.count { step, value in
        let expected = value < 10 ? value * 1000 : value
        return (0.4...2.6).contains(step * scale / expected)
      }
    }
    if !steps.isEmpty, Double(fitting.max() ?? 0) >= Self.addsUp * Double(steps.count) { return true }
    // Times that never decrease may be times with large gaps.
    if !isOneColumn, steps.allSatisfy({ $0.0 > 0 }) || canBeWholeNumbers(rows) {
      throw .ambiguousComma(line: rows[0] + 1)
    }
    return false
  }

  /// Whether rows that read as decimals of milliseconds can also be two whole numbers, such as an interval and a heart rate:
  /// the digits after the commas do not prove that they are decimals.
  private func canBeWholeNumbers(_ rows: [Int]) -> Bool {
    var wholes: [Double] = []
    var (lengths, ends): (Set<Int>, Set<UInt8>) = ([], [])
    for row in rows {
      let parts = RRTextFields.bare(lines[row]).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }),
        let whole = Double(String(decoding: parts[0], as: UTF8.self)), let end = parts[1].last,
        // A whole number does not begin with 0.
        parts[1].count == 1 || parts[1].first != UInt8(ascii: "0")
      else { return false }
      wholes.append(whole)
      lengths.insert(parts[1].count)
      ends.insert(end)
    }
    guard let median = Self.median(wholes), Self.plausible.contains(median) else { return false }
    // Tenths have many different values, or are halves; a column with few small numbers contains marks.
    let areTenths = ends.count >= Self.fewestTenths || ends.isSubset(of: [UInt8(ascii: "0"), UInt8(ascii: "5")])
    return lengths != [1] || !areTenths
  }

  /// Whether the median of the values is a plausible interval in ms or s.
  private static func isPlausible(_ values: [Double]) -> Bool {
    guard let median = median(values.filter { $0 > 0 }) else { return false }
    return plausible.contains(median) || plausible.contains(median * 1000)
  }

  /// Returns the median, or the upper of the two middle values if their number is even.
  static func median(_ values: [Double]) -> Double? {
    if values.isEmpty { return nil }
    var values = values
    return OrderStatistic.select(values.count / 2, of: &values)
  }
}

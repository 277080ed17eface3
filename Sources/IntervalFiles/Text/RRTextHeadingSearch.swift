/// Searches for headings that name a column of intervals.
struct RRTextHeadingSearch {
  /// The number of lines below headings by which they are judged.
  private static let judgedRows = 60
  /// The number of names that are examined, and of names in headings that are judged, before a text is considered to have no
  /// headings: far more than any export has, and few enough to be fast.
  private static let (mostNames, mostJudged) = (50_000, 20_000)

  private let lines: [ArraySlice<UInt8>]
  private let namesKubios: Bool
  private var (names, judged) = (0, 0)
  /// The number of rows without an interval that may still be skipped, to judge headings by the rows after them.
  private var emptyRows = 5000
  /// The table whose headings name a column of intervals.
  private(set) var table: RRTextLayout?
  /// A heading that is alone in its line.
  private(set) var only: (index: Int, heading: RRTextHeading)?
  /// The reason why there is no table in spite of headings.
  private(set) var refusal: RRSeriesRefusal?

  init(_ lines: [ArraySlice<UInt8>], namesKubios: Bool) {
    self.lines = lines
    self.namesKubios = namesKubios
    for index in lines.indices where Self.hasName(lines[index]) {
      for separator in RRTextDialect.Separator.allCases {
        examine(index, separator)
        if table != nil || names > Self.mostNames || judged > Self.mostJudged { return }
        // Several words of one heading are not several headings.
        if only?.index == index { break }
      }
    }
  }

  /// Whether a line has two adjacent letters, as every column name has and no number.
  private static func hasName(_ line: ArraySlice<UInt8>) -> Bool {
    var wasLetter = false
    for byte in line {
      let isLetter = byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      if isLetter, wasLetter { return true }
      wasLetter = isLetter
    }
    return false
  }

  private mutating func examine(_ index: Int, _ separator: RRTextDialect.Separator) {
    let cells = RRTextFields(separator: separator, decimal: .point).split(lines[index])
    names += cells.count
    let headings = cells.map(RRTextHeading.init)
    if separator == .none {
      let isAlone = !lines[index].contains { $0 == 0x09 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
      if only == nil, isAlone, headings[0].rank != nil { only = (index, headings[0]) }
      return
    }
    guard headings.count > 1 else { return }
    guard let rank = headings.compactMap(\.rank).min(), let column = headings.firstIndex(where: { $0.rank == rank })
    else {
      // Results of many measurements are below their names, each measurement in its own line.
      if separator != .blanks, refusal == nil, headings.contains(where: \.isResult) {
        refusal = .results(line: index + 1, app: Self.app(headings))
      }
      return
    }
    judged += cells.count
    var layouts: [(layout: RRTextLayout, fitting: Int)] = []
    for decimal in RRTextDialect.Decimal.allCases {
      var layout = RRTextLayout(
        format: format(headings), fields: RRTextFields(separator: separator, decimal: decimal),
        columns: headings.count, column: column, heading: headings[column], unit: headings[column].unit,
        start: index, isTable: true)
      layout.alikeColumns = headings.count { $0.rank == rank && $0.key == headings[column].key }
      if let fitting = judge(&layout, headings) { layouts.append((layout, fitting)) }
    }
    if let best = layouts.max(by: { $0.fitting < $1.fitting }) {
      table = layouts.first { $0.fitting == best.fitting }?.layout
    } else if separator != .blanks, refusal == nil, lines[(index + 1)...].contains(where: { !$0.isEmpty }) {
      refusal = .brokenTable(line: index + 1, name: headings[column].name)
    }
  }

  /// Returns the number of rows below that fit the headings, and adds the details that they reveal to the layout. Returns `nil`
  /// if most rows do not fit.
  private mutating func judge(_ layout: inout RRTextLayout, _ headings: [RRTextHeading]) -> Int? {
    var (fitting, examined, skipped, rest) = (0, 0, 0, Self.judgedRows)
    // The columns that may contain times, with the number of cells that do.
    var times = headings.indices.filter { $0 != layout.column && Self.isTime(headings, $0) }
      .map { (column: $0, readable: 0, areMoments: false) }
    for row in lines[(layout.start + 1)...] where !row.isEmpty {
      if rest == 0 { break }
      rest -= 1
      let cells = layout.fields.split(row)
      // Units and rules may appear between headings and numbers.
      if fitting == 0, skipped < 4, cells.allSatisfy({ layout.fields.number($0) == nil }) {
        if layout.column < cells.count { layout.unit = layout.unit ?? RRTextHeading.unit(alone: cells[layout.column]) }
        skipped += 1
        continue
      }
      examined += 1
      guard cells.count <= layout.columns else { continue }
      // Empty cells at the end are omitted.
      let cell = layout.column < cells.count ? cells[layout.column] : []
      if cell.isEmpty || RRTextMissingValue.isWritten(in: cell) {
        examined -= 1
        if emptyRows > 0 { (emptyRows, rest) = (emptyRows - 1, rest + 1) }
      } else if layout.fields.number(cell) != nil {
        fitting += 1
        for place in times.indices where times[place].column < cells.count {
          guard layout.time(cells[times[place].column]) != nil else { continue }
          if times[place].readable == 0 {
            times[place].areMoments = layout.fields.number(cells[times[place].column]) == nil
          }
          times[place].readable += 1
        }
      }
    }
    guard fitting > 0, fitting * 2 > examined, !hasRows(above: layout) else { return nil }
    let best = times.first { time in times.allSatisfy { $0.readable <= time.readable } }
    (layout.timeColumn, layout.timesAreMoments) = (best?.column, best?.areMoments ?? false)
    return fitting
  }

  /// Whether numbers in as many columns also appear above the headings, which shows that they are not headings.
  private func hasRows(above layout: RRTextLayout) -> Bool {
    var other = layout
    other.fields.decimal = layout.fields.decimal == .point ? .comma : .point
    return lines[..<layout.start].contains { line in
      let cells = layout.fields.split(line)
      return cells.count == layout.columns
        && cells.allSatisfy { layout.time($0) != nil || other.fields.number($0) != nil }
    }
  }

  /// Whether a column contains times. In Empatica's files, the heading of this column is the start of the times.
  private static func isTime(_ headings: [RRTextHeading], _ index: Int) -> Bool {
    headings[index].isTime || index == 0 && Double(headings[0].name) != nil
  }

  // MARK: - Recognising the app

  private func format(_ headings: [RRTextHeading]) -> RRSeriesFormat {
    let keys = headings.map(\.key)
    if keys.contains("phonetimestamp") { return .polarSensorLogger }
    if keys.contains("monotonicus") { return .tachogramCSV }
    if keys.contains("artifactcorrectedrr") { return .firstbeat }
    if keys.count == 2, keys[1] == "ibi", Double(headings[0].name) != nil { return .empaticaIBI }
    if keys == ["timestamp", "rr", "sincestart"] { return .fatMaxxer }
    if keys == ["date", "rr", "sincestart"] || keys == ["date", "timestamp", "rr"] { return .hrvLogger }
    return namesKubios ? .kubiosReport : .rrCSV
  }

  /// Returns the app whose table of results has these headings.
  private static func app(_ headings: [RRTextHeading]) -> String? {
    let keys = Set(headings.map(\.key))
    if keys.contains("timestampmeasurement") || keys.contains("hrv4trecoverypoints") { return "HRV4Training" }
    if keys.contains("datetimestart") { return "Elite HRV" }
    return nil
  }
}

/// Detects the position and the notation of the intervals from the first lines of a text.
///
/// Headings that name a column of intervals take precedence. Without such headings, only single numbers, or a time and a
/// number, are accepted as intervals; lines of any wording may precede them. Ambiguous commas are refused.
struct RRTextSniffer {
  /// The number of lines of any wording that may precede plain numbers, unless there are as many numbers.
  private static let longestPreamble = 20

  /// The lines by their position in the file; blank lines and comments are empty.
  private let lines: [ArraySlice<UInt8>]
  /// Whether a line or comment mentions Kubios.
  private let namesKubios: Bool

  init(_ lines: [ArraySlice<UInt8>], namesKubios: Bool) {
    self.lines = lines
    self.namesKubios = namesKubios
  }

  /// Returns the layout, or `nil` if nothing resembles intervals.
  func layout() throws(RRSeriesRefusal) -> RRTextLayout? {
    if let layout = try polarHRM() { return layout }
    let headings = RRTextHeadingSearch(lines, namesKubios: namesKubios)
    if let table = headings.table { return table }
    guard var plain = try RRTextPlainSearch(lines, heading: headings.only?.index).layout() else {
      if let refusal = headings.refusal ?? columnsWithoutNames() { throw refusal }
      return nil
    }
    if let only = headings.only, only.index < plain.start, plain.columns == 1 {
      plain.heading = only.heading
      plain.unit = only.heading.unit
    } else if let refusal = headings.refusal, case .brokenTable = refusal {
      throw refusal
    }
    if namesKubios { plain.format = .kubiosText }
    return try checkPreamble(of: plain) ? plain : nil
  }

  /// Returns the layout of Polar's HRM files. They have sections, of which `[HRData]` contains intervals in ms if `[Params]`
  /// contains `Interval=238`, and heart rates otherwise.
  private func polarHRM() throws(RRSeriesRefusal) -> RRTextLayout? {
    guard let first = lines.first(where: { !$0.isEmpty }), RRTextFields.bare(first).elementsEqual("[Params]".utf8),
      let section = lines.firstIndex(where: { RRTextFields.bare($0).elementsEqual("[HRData]".utf8) })
    else { return nil }
    guard lines[..<section].contains(where: { RRTextFields.bare($0).elementsEqual("Interval=238".utf8) }) else {
      throw .otherColumns(line: section + 1, names: ["HRData"])
    }
    return RRTextLayout(
      format: .polarHRM, fields: RRTextFields(separator: .none, decimal: .point), columns: 1, column: 0,
      unit: .milliseconds, start: section + 1, isTable: false)
  }

  /// Whether the lines above plain numbers are a short preamble of text.
  private func checkPreamble(of layout: RRTextLayout) throws(RRSeriesRefusal) -> Bool {
    let preamble = lines[..<layout.start].filter { !$0.isEmpty }
    guard !preamble.contains(where: { $0.contains { $0 < 0x09 } }) else { return false }
    if let refusal = otherColumns(above: layout) { throw refusal }
    let rows = lines[layout.start...].count { !$0.isEmpty }
    return namesKubios || preamble.count <= max(Self.longestPreamble, rows)
  }

  /// Returns a refusal if the line above plain numbers names their columns and none of the names is one of intervals. The
  /// contents of such columns are not guessed.
  private func otherColumns(above layout: RRTextLayout) -> RRSeriesRefusal? {
    guard let index = lines[..<layout.start].lastIndex(where: isHeading) else { return nil }
    let separators = [layout.fields.separator] + RRTextDialect.Separator.allCases.filter { $0.byte != nil }
    for separator in separators {
      let names = RRTextFields(separator: separator, decimal: .point).split(lines[index]).map(RRTextHeading.init)
      // The last name is above the values.
      guard names.count == layout.columns, names.allSatisfy({ $0.rank == nil }), let last = names.last else { continue }
      // Adjacent words are headings only if the first one names times.
      let areNames = separator != .blanks || names[0].isTime || names[0].isUnit
      if last.isOther || layout.columns > 1 && areNames && names.allSatisfy(\.isWord) {
        return .otherColumns(line: index + 1, names: names.map(\.name))
      }
    }
    return nil
  }

  /// Whether a line contains words other than the units or rules between headings and numbers.
  private func isHeading(_ line: ArraySlice<UInt8>) -> Bool {
    let words = String(decoding: line.prefix(200), as: UTF8.self).split { !$0.isLetter && !$0.isNumber }
    return words.contains { word in !RRTextHeading.isUnit(word) }
  }

  /// Returns a refusal if most lines have several columns of numbers without names.
  private func columnsWithoutNames() -> RRSeriesRefusal? {
    let written = lines.indices.filter { !lines[$0].isEmpty }
    for separator in RRTextDialect.Separator.allCases where separator != .none {
      let fields = RRTextFields(separator: separator, decimal: separator == .comma ? .point : .comma)
      let points = RRTextFields(separator: separator, decimal: .point)
      let wide = written.filter { index in
        let cells = points.split(lines[index])
        return cells.count > 2 && cells.count { points.number($0) != nil || fields.number($0) != nil } > 1
      }
      if let first = wide.first, wide.count * 2 > written.count {
        return .unnamedColumns(line: first + 1, count: points.split(lines[first]).count)
      }
    }
    return nil
  }
}

/// The rows of a text: cells that are separated by tabs, semicolons, commas or blanks, whichever the first row has. A byte order
/// mark, blank lines, and blanks and quotes around cells are skipped; lines end with LF, CR or both.
struct NightTable {
  private static let longestLine = 4096
  private static let longestNumber = 40
  private static let separators = [UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: ",")]
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The line of the last row, counted from 1.
  private(set) var line = 0

  private let file: NightFile
  private let bytes: [UInt8]
  private var place: Int
  private var rowCount = 0
  /// The separator, once it is known; `nil` for blanks.
  private var separator: UInt8??

  /// Creates a table. Throws if the file is larger than the limit.
  init(_ bytes: [UInt8], of file: NightFile) throws(NightFileError) {
    (self.bytes, self.file) = (bytes, file)
    place = bytes.starts(with: Self.mark) ? Self.mark.count : 0
    if bytes.count > NightFile.maximumBytes {
      throw error(.tooLarge(bytes: bytes.count, limit: NightFile.maximumBytes))
    }
  }

  /// Returns the cells of the next row, without empty ones at its end, or `nil` at the end. Throws if a line is too long or has
  /// bytes that no text has, or if there are too many rows.
  mutating func nextRow() throws(NightFileError) -> [ArraySlice<UInt8>]? {
    while let content = try nextLine() {
      let trimmed = Self.trimmed(content)
      guard !trimmed.isEmpty else { continue }
      rowCount += 1
      if rowCount > NightFile.maximumRows { throw error(.tooManyRows(limit: NightFile.maximumRows)) }
      // A separator at the start or the end of a line follows or precedes an empty cell.
      return cells(separator == .some(nil) ? trimmed : content)
    }
    return nil
  }

  /// Returns the number in a cell. Throws if there is none, or if it is not within the range of its column.
  func number(_ row: [ArraySlice<UInt8>], _ column: NightColumn) throws(NightFileError) -> Double {
    guard column.number <= row.count, let value = Self.number(row[column.number - 1]) else {
      throw error(.notNumber, line: line, column: column)
    }
    guard column.kind.range.contains(value) else { throw error(.outOfRange, line: line, column: column) }
    return value
  }

  /// Returns an error in this file.
  func error(_ problem: NightFileError.Problem, line: Int? = nil, column: NightColumn? = nil) -> NightFileError {
    NightFileError(file: file, line: line, column: column, problem: problem)
  }

  private mutating func nextLine() throws(NightFileError) -> ArraySlice<UInt8>? {
    guard place < bytes.count else { return nil }
    line += 1
    let start = place
    while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D {
      // Control characters, and the marks of UTF-16.
      if bytes[place] < 0x09 || bytes[place] >= 0xFE { throw error(.notText, line: line) }
      if place - start == Self.longestLine { throw error(.longLine(limit: Self.longestLine), line: line) }
      place += 1
    }
    let content = bytes[start..<place]
    if place < bytes.count {
      place += bytes[place] == 0x0D && place + 1 < bytes.count && bytes[place + 1] == 0x0A ? 2 : 1
    }
    return content
  }

  private mutating func cells(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let separator = self.separator ?? Self.separators.first(where: line.contains)
    self.separator = .some(separator)
    guard let separator else { return Self.trimmed(line).split(whereSeparator: Self.isBlank).map(Self.bare) }
    var cells = line.split(separator: separator, omittingEmptySubsequences: false).map(Self.bare)
    while cells.last?.isEmpty == true { cells.removeLast() }
    return cells
  }

  /// Returns a cell without blanks and quotes around it.
  private static func bare(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let inner = trimmed(cell)
    let quote = UInt8(ascii: "\"")
    guard inner.count >= 2, inner.first == quote, inner.last == quote else { return inner }
    return trimmed(inner.dropFirst().dropLast())
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else {
      return []
    }
    return text[first...last]
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// Returns a finite number in decimal digits.
  private static func number(_ text: ArraySlice<UInt8>) -> Double? {
    guard (1...longestNumber).contains(text.count), text.allSatisfy(isNumeric) else { return nil }
    return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

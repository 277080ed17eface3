/// What one line of RR text says.
enum RRTextLine {
  /// Nothing: blank, or a comment.
  case empty
  /// A comment of this program's own export, `# gap 12.3 s linkDown`: so many ms are missing here.
  case gap(milliseconds: Double)
  /// One number or, behind a time, the second of two.
  case numbers(value: Double, time: Double?)
  /// Anything else, without the white space around it.
  case other(ArraySlice<UInt8>)

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let whiteSpace = Set("\t\u{B}\u{C} ".utf8)
  private static let separators = Set(",;\t ".utf8)
  private static let numberBytes = Set("0123456789+-.eE".utf8)

  /// Reads a line without its end; one that is not whole holds no number.
  init(_ line: ArraySlice<UInt8>, isWhole: Bool) {
    let text = Self.trimmed(line)
    if text.isEmpty {
      self = .empty
    } else if text.first == UInt8(ascii: "#") {
      self = Self.gap(text.dropFirst()).map { .gap(milliseconds: $0) } ?? .empty
    } else if isWhole, let numbers = Self.numbers(text) {
      self = .numbers(value: numbers.value, time: numbers.time)
    } else {
      self = .other(text)
    }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = line.starts(with: byteOrderMark) ? line.dropFirst(byteOrderMark.count) : line
    text = text.drop(while: whiteSpace.contains)
    while let last = text.last, whiteSpace.contains(last) { text.removeLast() }
    return text
  }

  /// The length of the gap that a comment tells of, in ms.
  private static func gap(_ comment: ArraySlice<UInt8>) -> Double? {
    let words = comment.split(whereSeparator: whiteSpace.contains)
    guard words.count >= 3, words[0].elementsEqual("gap".utf8), words[2].elementsEqual("s".utf8),
      let seconds = number(words[1]), seconds >= 0
    else { return nil }
    return seconds * 1000
  }

  /// One number, or a time and a number; `nil` when a column is no number or there are more columns.
  private static func numbers(_ text: ArraySlice<UInt8>) -> (value: Double, time: Double?)? {
    let fields = text.split(maxSplits: 2, whereSeparator: separators.contains)
    guard (1...2).contains(fields.count), let first = number(fields[0]) else { return nil }
    if fields.count == 1 { return (first, nil) }
    return number(fields[1]).map { ($0, first) }
  }

  /// A finite number in decimal digits.
  private static func number(_ text: ArraySlice<UInt8>) -> Double? {
    guard text.allSatisfy(numberBytes.contains), let number = Double(String(decoding: text, as: UTF8.self)),
      number.isFinite
    else { return nil }
    return number
  }
}

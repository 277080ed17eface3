/// The notations of missing numbers.
enum RRTextMissingValue {
  private static let words: Set<String> = [
    "na", "n/a", "n.a.", "nil", "null", "none", "missing", "-", "?", ".",
    "#n/a", "#null!", "#num!", "#value!", "#div/0!", "#ref!", "#name?",
  ]
  private static let separators = Array(",;\t ".utf8)
  /// The greatest length of a missing value in bytes.
  private static let longest = 20

  /// Whether a cell contains a missing value: a word, a spreadsheet error, or a number that is not finite, such as `nan`,
  /// `-inf` and `1e999`.
  static func isWritten(in cell: ArraySlice<UInt8>) -> Bool {
    guard (1...longest).contains(cell.count) else { return false }
    let text = String(decoding: cell, as: UTF8.self).lowercased()
    return words.contains(text) || Double(text).map { !$0.isFinite } ?? false
  }

  /// Whether a line is a comment: it begins with `#`, and its first cell is not a spreadsheet error.
  static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
    line.first == UInt8(ascii: "#") && !isWritten(in: line.prefix { !separators.contains($0) })
  }
}

import Foundation

/// The spelling of a table of `export --format csv`: as written, or as saved by a spreadsheet, with semicolons or tabs, in
/// quotes, and with decimal commas.
struct SessionCSVDialect {
  let separator: Character
  /// Whether the heading is spelled differently from this program's. Then values may have changed as well.
  let isRespelled: Bool

  /// Returns `nil` if the columns of a heading are not those of an export.
  init?(heading: Substring) {
    let names = SessionCSV.columns
    let match = [",", ";", "\t"].first { (separator: Character) in
      let fields = Self.fields(heading, separator)
      return fields.starts(with: names) && fields.dropFirst(names.count).allSatisfy(\.isEmpty)
    }
    guard let match else { return nil }
    separator = match
    isRespelled = heading != SessionCSV.heading[...]
  }

  /// Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark, without the mark.
  static func text(_ data: Data) -> String {
    let isWide = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
    let text = (isWide ? String(data: data, encoding: .utf16) : nil) ?? String(decoding: data, as: UTF8.self)
    return text.first == "\u{FEFF}" ? String(text.dropFirst()) : text
  }

  /// Whether the beginning of a file names the columns of an export, in any order and with any separators.
  static func isExport(_ head: [UInt8]) -> Bool {
    let heading = text(Data(head)).prefix { !$0.isNewline }
    let names = heading.split { ",;\t\" ".contains($0) }.map(String.init)
    return Set(SessionCSV.columns).isSubset(of: names)
  }

  func fields(_ line: Substring) -> [String] { Self.fields(line, separator) }

  /// Parses a number whose decimal sign is a point or, in a table that was saved by a spreadsheet, a comma.
  func number(_ field: String) -> Double? {
    Double(isRespelled ? field.replacing(",", with: ".") : field)
  }

  private static func fields(_ line: Substring, _ separator: Character) -> [String] {
    guard line.contains("\"") else {
      return line.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
    var fields = [""]
    var isQuoted = false
    for character in line {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == separator, !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return fields
  }
}

/// The reason why a file with data of a night is refused.
package struct NightFileError: Error, Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    case tooLarge(bytes: Int, limit: Int)
    case tooManyRows(limit: Int)
    case longLine(limit: Int)
    /// It has bytes that no text in UTF-8 has.
    case notText
    case noRows
    /// The heading does not have one of these columns.
    case missingColumns([String])
    case columnCount(Int, expected: Int)
    case notNumber
    case outOfRange
    /// The beat is earlier than the one before it.
    case unsorted
  }

  package let file: NightFile
  /// The line, counted from 1; `nil` for the whole file.
  package let line: Int?
  /// The column, counted from 1, and its name; `nil` for the whole line.
  package let column: NightColumn?
  package let problem: Problem
}

extension NightFileError: CustomStringConvertible {
  package var description: String {
    let place = line.map { ", line \($0)" } ?? ""
    let field = column.map { ", column \($0.number) (\($0.kind.rawValue))" } ?? ""
    return "\(file.rawValue) file\(place)\(field): \(text)"
  }

  private var text: String {
    let expected = column.map { "; expected \($0.kind.expectation)" } ?? ""
    return switch problem {
    case .tooLarge(let bytes, let limit): "too large (\(bytes) bytes; the limit is \(limit))"
    case .tooManyRows(let limit): "more than \(limit) rows; a night has at most a week"
    case .longLine(let limit): "longer than \(limit) bytes; expected \(form)"
    case .notText: "not a text in UTF-8; expected \(form)"
    case .noRows: "no data; expected \(form)"
    case .missingColumns(let names): "no column \(names.joined(separator: " and no column ")); expected \(form)"
    case .columnCount(let found, let wanted): "\(found) columns instead of \(wanted); expected \(form)"
    case .notNumber: "not a number with a decimal point\(expected)"
    case .outOfRange: "out of range\(expected)"
    case .unsorted: "earlier than the beat before it; expected beats in order of time"
    }
  }

  private var form: String {
    switch file {
    case .intervals: "a heading with beat_time_s and rr_ms, and a row for each beat from the start of the night on"
    case .heartRate:
      "lines of seconds and beats per minute without a heading, some of them not before the start of the night"
    case .movement:
      "a heading with epoch_start_s and count_feature, and a row for each 30 s from the start of the night on"
    }
  }
}

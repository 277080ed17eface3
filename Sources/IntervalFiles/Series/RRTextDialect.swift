/// The notation of intervals in a text file.
package struct RRTextDialect: Hashable, Sendable {
  package enum Unit: String, Hashable, Sendable {
    case milliseconds = "ms"
    case seconds = "s"

    /// The factor that converts a value to milliseconds.
    var scale: Double { self == .milliseconds ? 1 : 1000 }
  }

  /// The separator between columns.
  package enum Separator: String, Hashable, Sendable, CaseIterable {
    case none, tab, semicolon, comma, blanks

    /// The separating byte, or `nil` if there is only one column.
    var byte: UInt8? {
      switch self {
      case .none: nil
      case .tab: UInt8(ascii: "\t")
      case .semicolon: UInt8(ascii: ";")
      case .comma: UInt8(ascii: ",")
      case .blanks: UInt8(ascii: " ")
      }
    }
  }

  /// The decimal separator.
  package enum Decimal: String, Hashable, Sendable, CaseIterable {
    case point, comma
  }

  package enum Encoding: String, Hashable, Sendable {
    /// UTF-8 or any other superset of ASCII.
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
  }

  package internal(set) var unit: Unit
  package internal(set) var separator: Separator
  package internal(set) var decimal: Decimal
  package internal(set) var encoding: Encoding
  /// The column of the intervals, from 1.
  package internal(set) var column: Int
  /// The heading of the column, if it has one.
  package internal(set) var columnName: String?
  /// The number of columns with an equally good heading. The first of them is read.
  package internal(set) var alikeColumns: Int
  /// Whether a column of times was used.
  package internal(set) var hasTimes: Bool
  /// The reason why a column of times was not used.
  package internal(set) var timesRefusal: RRTextTimesRefusal?
  /// The number of intervals beside an impossible time, in a column that was used.
  package internal(set) var unusableTimes = 0
}

/// How intervals are written in a text file.
package struct RRTextDialect: Hashable, Sendable {
  package enum Unit: String, Hashable, Sendable {
    case milliseconds = "ms"
    case seconds = "s"

    /// What makes milliseconds of a value.
    var scale: Double { self == .milliseconds ? 1 : 1000 }
  }

  /// What stands between columns.
  package enum Separator: String, Hashable, Sendable, CaseIterable {
    case none, tab, semicolon, comma, blanks

    /// The byte that separates; `nil` where there is one column.
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

  /// What stands before decimals.
  package enum Decimal: String, Hashable, Sendable, CaseIterable {
    case point, comma
  }

  package enum Encoding: String, Hashable, Sendable {
    /// Or any other that ASCII is a part of.
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
  /// Its heading, when it has one.
  package internal(set) var columnName: String?
  /// How many columns have a heading as good as that; the first is read.
  package internal(set) var alikeColumns: Int
  /// Whether a column of times was used.
  package internal(set) var hasTimes: Bool
  /// Why a column of times was not used.
  package internal(set) var timesRefusal: RRTextTimesRefusal?
  /// Intervals beside a time that cannot be, in a column that was used.
  package internal(set) var unusableTimes = 0
}

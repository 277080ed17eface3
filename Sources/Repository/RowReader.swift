import FoundationEssentials
import GRDB

/// A reader of the columns of a row, by position. For a value that the schema forbids, it throws the error of a damaged file,
/// whereas GRDB's subscripts would end the program.
struct RowReader {
  let row: Row

  func integer<Number: FixedWidthInteger>(_ column: Int, as type: Number.Type = Number.self) throws -> Number {
    guard let value = row[column] as Int64?, let number = Number(exactly: value) else { throw unexpected(column) }
    return number
  }

  func optionalInteger(_ column: Int) -> Int64? {
    row[column]
  }

  func bool(_ column: Int) throws -> Bool {
    try integer(column, as: Int64.self) != 0
  }

  func real(_ column: Int) throws -> Double {
    guard let value = row[column] as Double? else { throw unexpected(column) }
    return value
  }

  func optionalReal(_ column: Int) -> Double? {
    row[column]
  }

  func text(_ column: Int) throws -> String {
    guard let value = row[column] as String? else { throw unexpected(column) }
    return value
  }

  func optionalText(_ column: Int) -> String? {
    row[column]
  }

  /// Returns the case of an enumeration with a raw value.
  func choice<Choice: RawRepresentable<String>>(_ column: Int) throws -> Choice {
    guard let choice = Choice(rawValue: try text(column)) else { throw unexpected(column) }
    return choice
  }

  func bytes(_ column: Int) throws -> [UInt8] {
    try row.withUnsafeData(atIndex: column) { data in
      guard let data else { throw unexpected(column) }
      return [UInt8](data)
    }
  }

  func date(_ column: Int) throws -> Date {
    StoredDate.date(microseconds: try integer(column))
  }

  func uuid(_ column: Int) throws -> UUID {
    guard let uuid = UUID(uuidString: try text(column)) else { throw unexpected(column) }
    return uuid
  }

  /// Returns the error for a value that the schema forbids.
  func unexpected(_ column: Int) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unexpected value in column \(column)")
  }
}

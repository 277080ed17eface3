/// A value of a statement, or of a row.
package enum SyncSQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  /// The integer; `nil` for any other value.
  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The text; `nil` for any other value.
  var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The bytes; `nil` for any other value.
  var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
}

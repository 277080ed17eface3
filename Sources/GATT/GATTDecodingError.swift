/// An error in the bytes of a characteristic value. Offsets count from the first byte of the value, which is 0.
public enum GATTDecodingError: Error, Hashable, Sendable {
  /// There are no bytes. `field` is the first field.
  case empty(field: GATTField)
  /// The field begins at `offset` and needs `needed` bytes, but only `available` are left.
  case truncated(field: GATTField, offset: Int, needed: Int, available: Int)
  /// The RR-Interval list is not a whole number of intervals: half of one, a single byte, is left at `offset`.
  case oddRRByte(offset: Int)
  /// `count` bytes follow the last field; the first of them is at `offset`.
  case trailingBytes(offset: Int, count: Int)
  /// The byte at `offset` is a value that the specification reserves.
  case reserved(field: GATTField, value: UInt8, offset: Int)
  /// The byte at `offset` is a value that this program does not support.
  case unsupported(field: GATTField, value: UInt8, offset: Int)
  /// The value has `count` bytes, more than the `limit` that is possible.
  case tooLong(count: Int, limit: Int)
  /// The text is not valid UTF-8 from the byte at `offset` on.
  case invalidUTF8(field: GATTField, offset: Int)
}

extension GATTDecodingError: CustomStringConvertible {
  /// A description of the error with the field and the offset.
  public var description: String {
    switch self {
    case .empty(let field):
      "the value is empty: \(field) is missing at byte 0"
    case .truncated(let field, let offset, let needed, let available):
      "\(field) is cut off at byte \(offset): \(available) of \(needed) byte(s) are there"
    case .oddRRByte(let offset):
      "\(GATTField.rrInterval) is cut off at byte \(offset): 1 of 2 byte(s) are there"
    case .trailingBytes(let offset, let count):
      "\(count) unexpected byte(s) after the last field, from byte \(offset)"
    case .reserved(let field, let value, let offset):
      "\(field) has the reserved value \(value) at byte \(offset)"
    case .unsupported(let field, let value, let offset):
      "\(field) has the value \(value) at byte \(offset), which is not supported"
    case .tooLong(let count, let limit):
      "the value has \(count) bytes; the limit is \(limit)"
    case .invalidUTF8(let field, let offset):
      "\(field) is not valid UTF-8 at byte \(offset)"
    }
  }
}

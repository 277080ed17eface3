/// Why the bytes of a characteristic are not a value of it. Offsets count from the first byte of the value, which is 0.
public enum GATTDecodingError: Error, Hashable, Sendable {
  /// There are no bytes; `field` is the one that comes first.
  case empty(field: GATTField)
  /// The field begins at `offset` and takes `needed` bytes, of which only `available` are there.
  case truncated(field: GATTField, offset: Int, needed: Int, available: Int)
  /// The RR-Interval list is not a whole number of intervals: half of one, a single byte, is left at `offset`.
  case oddRRByte(offset: Int)
  /// `count` bytes follow the last field; the first of them is at `offset`.
  case trailingBytes(offset: Int, count: Int)
  /// The byte at `offset` is a value that the specification reserves.
  case reserved(field: GATTField, value: UInt8, offset: Int)
  /// The byte at `offset` begins something that is not UTF-8.
  case invalidUTF8(field: GATTField, offset: Int)
}

extension GATTDecodingError: CustomStringConvertible {
  /// What is wrong, in words, with the field and the byte.
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
    case .invalidUTF8(let field, let offset):
      "\(field) is not valid UTF-8 at byte \(offset)"
    }
  }
}

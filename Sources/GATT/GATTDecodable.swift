/// A decoder of one characteristic value. For any bytes, it returns a value or throws an error, and never traps.
package protocol GATTDecodable {
  /// The decoded value.
  associatedtype Value

  /// Reads the value from exactly these bytes.
  static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> Value
}

extension GATTDecodable {
  /// Reads the value from exactly these bytes.
  package static func decode(_ bytes: [UInt8]) throws(GATTDecodingError) -> Value {
    try decode(bytes[...])
  }

  /// Returns the only byte of a value that must be one byte long.
  internal static func singleByte(
    of bytes: ArraySlice<UInt8>, field: GATTField,
  ) throws(GATTDecodingError) -> UInt8 {
    guard let byte = bytes.first else { throw .empty(field: field) }
    guard bytes.count == 1 else { throw .trailingBytes(offset: 1, count: bytes.count - 1) }
    return byte
  }
}

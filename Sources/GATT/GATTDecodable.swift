/// The decoder of one characteristic value. It is total: any bytes give a value or an error, and nothing traps.
package protocol GATTDecodable {
  /// What the bytes stand for.
  associatedtype Value

  /// Reads the value from exactly these bytes.
  static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> Value
}

extension GATTDecodable {
  /// Reads the value from exactly these bytes.
  package static func decode(_ bytes: [UInt8]) throws(GATTDecodingError) -> Value {
    try decode(bytes[...])
  }

  /// The only byte of a value that is one byte long.
  internal static func singleByte(
    of bytes: ArraySlice<UInt8>, field: GATTField,
  ) throws(GATTDecodingError) -> UInt8 {
    guard let byte = bytes.first else { throw .empty(field: field) }
    guard bytes.count == 1 else { throw .trailingBytes(offset: 1, count: bytes.count - 1) }
    return byte
  }
}

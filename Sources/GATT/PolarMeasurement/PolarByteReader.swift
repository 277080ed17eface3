/// A reader of the fields of a value, from its front to its end, least significant byte first. A read never goes beyond the
/// end: it throws the field and its offset.
struct PolarByteReader {
  private let bytes: ArraySlice<UInt8>
  /// The offset of the next byte from the first byte of the value.
  private(set) var offset = 0

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The number of bytes that are left.
  var remaining: Int { bytes.count - offset }

  var isAtEnd: Bool { remaining == 0 }

  /// Reads one byte. An empty value is reported as such.
  mutating func byte(_ field: GATTField) throws(GATTDecodingError) -> UInt8 {
    guard !bytes.isEmpty else { throw .empty(field: field) }
    return UInt8(truncatingIfNeeded: try unsigned(1, field))
  }

  /// Reads an unsigned integer of 1 … 8 bytes.
  mutating func unsigned(_ size: Int, _ field: GATTField) throws(GATTDecodingError) -> UInt64 {
    try slice(size, field).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads an integer of 1 … 4 bytes in two's complement.
  mutating func signed(_ size: Int, _ field: GATTField) throws(GATTDecodingError) -> Int32 {
    let unused = Int32(32 - 8 * size)
    return (Int32(truncatingIfNeeded: try unsigned(size, field)) << unused) >> unused
  }

  /// Reads `size` bytes.
  mutating func slice(_ size: Int, _ field: GATTField) throws(GATTDecodingError) -> ArraySlice<UInt8> {
    guard size <= remaining else {
      throw .truncated(field: field, offset: offset, needed: size, available: remaining)
    }
    let start = bytes.startIndex + offset
    offset += size
    return bytes[start..<(start + size)]
  }

  /// Reads all bytes that are left.
  mutating func rest() -> ArraySlice<UInt8> {
    defer { offset = bytes.count }
    return bytes.dropFirst(offset)
  }

  /// Throws unless all bytes were read.
  func end() throws(GATTDecodingError) {
    guard isAtEnd else { throw .trailingBytes(offset: offset, count: remaining) }
  }
}

extension [UInt8] {
  /// Appends an integer, least significant byte first.
  mutating func append<Integer: FixedWidthInteger>(littleEndian integer: Integer) {
    append(integer, bytes: Integer.bitWidth / 8)
  }

  /// Appends the `bytes` lowest bytes of an integer, least significant byte first.
  mutating func append<Integer: FixedWidthInteger>(_ integer: Integer, bytes: Int) {
    for position in 0..<bytes { append(UInt8(truncatingIfNeeded: integer >> Integer(8 * position))) }
  }
}

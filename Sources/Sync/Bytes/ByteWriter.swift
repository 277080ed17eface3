/// Writes the fields that `ByteReader` reads.
struct ByteWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ more: some Sequence<UInt8>) { bytes += more }

  mutating func write(byte: UInt8) { bytes.append(byte) }

  /// Writes an integer, the most significant byte first.
  mutating func write(integer: some FixedWidthInteger & UnsignedInteger) {
    withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes an unsigned LEB128 number.
  mutating func write(varint: UInt64) {
    var rest = varint
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func write(count: Int) { write(varint: UInt64(max(0, count))) }

  /// Writes a signed number in zigzag form.
  mutating func write(signed: Int64) { write(varint: Zigzag.encoded(signed)) }

  /// Writes the number of bytes, then the bytes.
  mutating func write(counted: [UInt8]) {
    write(count: counted.count)
    write(counted)
  }

  mutating func write(text: String) { write(counted: Array(text.utf8)) }

  mutating func write(flag: Bool) { write(byte: flag ? 1 : 0) }

  mutating func write(optionalText: String?) {
    write(flag: optionalText != nil)
    if let optionalText { write(text: optionalText) }
  }

  mutating func write(_ digest: ContentDigest) { write(digest.bytes) }

  /// Writes the number of digests, then the digests in ascending order.
  mutating func write(digests: [ContentDigest]) {
    write(count: digests.count)
    for digest in digests.sorted() { write(digest) }
  }
}

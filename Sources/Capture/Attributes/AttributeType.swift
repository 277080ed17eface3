import TachogramCore

/// Types of attributes as 16-bit UUIDs, read from either encoding in a PDU.
enum AttributeType {
  /// A placeholder for a 128-bit UUID without a 16-bit form.
  static let unknown: UInt16 = 0xFFFF

  /// The Bluetooth Base UUID, least significant byte first (Core Specification, Vol 3, Part B, 2.5.1), up to the 16 bits that
  /// differ.
  private static let base: [UInt8] = [0xFB, 0x34, 0x9B, 0x5F, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0]

  /// Reads the UUID of `count` bytes, 2 or 16, at `offset`. Returns `nil` for other counts or if there are fewer bytes.
  static func read(_ pdu: Span<UInt8>, at offset: Int, count: Int) -> UInt16? {
    guard count != 2 else { return pdu.littleEndian16(at: offset) }
    guard count == 16, pdu.holds(16, at: offset) else { return nil }
    let isShort = base.indices.allSatisfy { pdu.byte(at: offset + $0) == base[$0] }
    return isShort && pdu.littleEndian16(at: offset + 14) == 0 ? pdu.littleEndian16(at: offset + 12) : unknown
  }
}

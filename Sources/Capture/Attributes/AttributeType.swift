import TachogramCore

/// Types of attributes as 16-bit UUIDs, however a PDU spells them.
enum AttributeType {
  /// Stands for a UUID of 128 bits that no 16-bit UUID stands for.
  static let unknown: UInt16 = 0xFFFF

  /// The Bluetooth Base UUID, least significant byte first (Core Specification, Vol 3, Part B, 2.5.1), up to the 16 bits that
  /// differ.
  private static let base: [UInt8] = [0xFB, 0x34, 0x9B, 0x5F, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0]

  /// The UUID of `count` bytes at `offset`: 2 or 16.
  static func read(_ pdu: Span<UInt8>, at offset: Int, count: Int) -> UInt16? {
    guard count != 2 else { return pdu.littleEndian16(at: offset) }
    guard count == 16, pdu.holds(16, at: offset) else { return nil }
    let isShort = base.indices.allSatisfy { pdu.byte(at: offset + $0) == base[$0] }
    return isShort && pdu.littleEndian16(at: offset + 14) == 0 ? pdu.littleEndian16(at: offset + 12) : unknown
  }
}

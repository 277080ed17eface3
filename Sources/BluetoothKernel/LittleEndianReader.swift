/// A reader of consecutive little-endian fields that checks each against the remaining bytes.
struct LittleEndianReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private let what: String

  /// `what` names the structure in errors.
  init(_ bytes: ArraySlice<UInt8>, what: String) {
    self.bytes = bytes
    self.what = what
    position = bytes.startIndex
  }

  /// The number of unread bytes.
  var remaining: Int { bytes.endIndex - position }

  mutating func read(_ count: Int) throws(ManagementPacketError) -> ArraySlice<UInt8> {
    guard count >= 0, remaining >= count else {
      throw .truncated(what: what, needed: position - bytes.startIndex + max(0, count), available: bytes.count)
    }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  mutating func uint8() throws(ManagementPacketError) -> UInt8 {
    try read(1).first ?? 0
  }

  mutating func uint16() throws(ManagementPacketError) -> UInt16 {
    try read(2).reversed().reduce(0) { $0 << 8 | UInt16($1) }
  }

  mutating func uint32() throws(ManagementPacketError) -> UInt32 {
    try read(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Reads the text in a field of fixed size, which ends at its first zero byte. Invalid UTF-8 becomes replacement characters.
  mutating func text(_ count: Int) throws(ManagementPacketError) -> String {
    String(decoding: try read(count).prefix { $0 != 0 }, as: UTF8.self)
  }
}

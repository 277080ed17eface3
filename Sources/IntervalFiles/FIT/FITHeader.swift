import Capture

/// The header of a FIT file, 12 or 14 bytes (FIT protocol, "File Header"): its own length, two versions, the length of the data
/// in bytes, `.FIT`, and in 14 bytes a checksum of the first 12, or 0.
struct FITHeader {
  static let shortest = 12
  private static let nameOffset = 8
  private static let name = Array(".FIT".utf8)

  let length: Int
  /// The length of the records that follow the header, without the checksum at the end.
  let dataLength: UInt32
  /// The checksum of the header, or `nil` if it has no checksum.
  let checksum: UInt16?

  /// Whether the bytes begin like a FIT file.
  static func isMagic(_ bytes: Span<UInt8>) -> Bool {
    bytes.holds(name.count, at: nameOffset) && bytes[0] >= shortest
      && bytes.extracting(nameOffset..<(nameOffset + name.count)).equals(name)
  }

  /// Reads a header, or returns `nil` if the bytes are not a header or are truncated.
  init?(_ bytes: Span<UInt8>) {
    guard Self.isMagic(bytes), bytes.count >= Int(bytes[0]), let dataLength = bytes.littleEndian32(at: 4) else {
      return nil
    }
    length = Int(bytes[0])
    self.dataLength = dataLength
    let stored = length >= 14 ? bytes.littleEndian16(at: 12) : nil
    checksum = stored == 0 ? nil : stored
  }
}

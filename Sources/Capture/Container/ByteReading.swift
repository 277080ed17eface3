/// Checked reads at an offset from the start: `nil` past the end, never a trap.
extension Span<UInt8> {
  /// Whether `length` bytes are there from `offset` on.
  func holds(_ length: Int, at offset: Int) -> Bool {
    offset >= 0 && length >= 0 && offset <= count && length <= count - offset
  }

  func byte(at offset: Int) -> UInt8? {
    holds(1, at: offset) ? self[offset] : nil
  }

  func littleEndian16(at offset: Int) -> UInt16? {
    guard holds(2, at: offset) else { return nil }
    return UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }

  func bigEndian16(at offset: Int) -> UInt16? {
    littleEndian16(at: offset)?.byteSwapped
  }

  func littleEndian32(at offset: Int) -> UInt32? {
    guard holds(4, at: offset) else { return nil }
    return UInt32(self[offset]) | UInt32(self[offset + 1]) << 8 | UInt32(self[offset + 2]) << 16
      | UInt32(self[offset + 3]) << 24
  }

  func bigEndian32(at offset: Int) -> UInt32? {
    littleEndian32(at: offset)?.byteSwapped
  }

  /// Whether the bytes are these.
  func equals(_ bytes: [UInt8]) -> Bool {
    guard count == bytes.count else { return false }
    for index in 0..<count where self[index] != bytes[index] { return false }
    return true
  }

  /// The bytes in an array of their own.
  func copied() -> [UInt8] {
    withUnsafeBufferPointer { Array($0) }
  }
}

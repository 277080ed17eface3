/// Checked reads at an offset from the start, which return `nil` past the end instead of trapping.
extension Span<UInt8> {
  /// Whether there are at least `length` bytes from `offset` on.
  @inline(__always)
  package func holds(_ length: Int, at offset: Int) -> Bool {
    offset >= 0 && length >= 0 && offset <= count && length <= count - offset
  }

  @inline(__always)
  package func byte(at offset: Int) -> UInt8? {
    load(at: offset)
  }

  @inline(__always)
  package func littleEndian16(at offset: Int) -> UInt16? {
    load(at: offset).map(UInt16.init(littleEndian:))
  }

  @inline(__always)
  package func bigEndian16(at offset: Int) -> UInt16? {
    load(at: offset).map(UInt16.init(bigEndian:))
  }

  @inline(__always)
  package func littleEndian32(at offset: Int) -> UInt32? {
    load(at: offset).map(UInt32.init(littleEndian:))
  }

  @inline(__always)
  package func bigEndian32(at offset: Int) -> UInt32? {
    load(at: offset).map(UInt32.init(bigEndian:))
  }

  @inline(__always)
  func bigEndian64(at offset: Int) -> UInt64? {
    load(at: offset).map(UInt64.init(bigEndian:))
  }

  /// Reads an integer without the checks of the span: the bounds are checked once for the integer, not for each byte.
  @inline(__always)
  private func load<Integer: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Integer? {
    guard holds(MemoryLayout<Integer>.size, at: offset) else { return nil }
    return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Integer.self)
  }

  /// Whether the bytes are equal to `bytes`.
  package func equals(_ bytes: [UInt8]) -> Bool {
    guard count == bytes.count else { return false }
    for index in 0..<count where self[index] != bytes[index] { return false }
    return true
  }

  /// Returns a copy of the bytes.
  func copied() -> [UInt8] {
    withUnsafeBufferPointer { Array($0) }
  }
}

/// Padding to the lengths of Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with
/// PURBs", 2019, section 4): at most 12 % longer, and only O(log log n) bits of a length remain visible.
enum Padding {
  /// The length of the number that precedes the content, in bytes.
  static let prefixLength = 4

  /// Returns the padded length of `length` bytes.
  static func length(_ length: Int) -> Int {
    guard length > 1 else { return max(0, length) }
    let exponent = Int.bitWidth - 1 - length.leadingZeroBitCount
    let exponentBits = Int.bitWidth - exponent.leadingZeroBitCount
    let mask = (1 << max(0, exponent - exponentBits)) - 1
    return (length + mask) & ~mask
  }

  /// Returns the number of bytes of the content (32 bits, the most significant byte first), the content, and zeros.
  static func added(to content: [UInt8], _ rule: PaddingRule = .padme) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(integer: UInt32(truncatingIfNeeded: content.count))
    writer.write(content)
    writer.write(repeatElement(0, count: rule.length(writer.bytes.count) - writer.bytes.count))
    return writer.bytes
  }

  /// Returns the content of padded bytes, or `nil` if they were not padded in this way.
  static func removed(from bytes: [UInt8]) -> [UInt8]? {
    var reader = ByteReader(bytes)
    guard let count = try? reader.readInteger(UInt32.self, "length"),
      let content = try? reader.read(Int(count), "content"),
      [PaddingRule.padme, .fixed].contains(where: { $0.length(prefixLength + content.count) == bytes.count }),
      bytes[reader.offset...].allSatisfy({ $0 == 0 })
    else { return nil }
    return content
  }
}

/// Crockford's Base32 without checksum: digits and letters without I, L, O and U. Reading accepts them as 1, 1, 0 and in either
/// case.
enum Base32 {
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var (text, buffer, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(digits[Int(buffer >> bits & 31)])
      }
      buffer &= (1 << bits) - 1
    }
    if bits > 0 { text.append(digits[Int(buffer << (5 - bits) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes of a text, or `nil` for any other text.
  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var (bytes, buffer, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
    for letter in text.utf8 {
      guard let value = value(letter) else { return nil }
      buffer = buffer << 5 | value
      bits += 5
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
        buffer &= (1 << bits) - 1
      }
    }
    return bits < 5 && buffer == 0 ? bytes : nil
  }

  private static func value(_ letter: UInt8) -> UInt32? {
    let lower = (65...90).contains(letter) ? letter + 32 : letter
    switch lower {
    case UInt8(ascii: "i"), UInt8(ascii: "l"): return 1
    case UInt8(ascii: "o"): return 0
    default: return digits.firstIndex(of: lower).map { UInt32($0) }
    }
  }
}

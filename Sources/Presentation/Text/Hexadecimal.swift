/// Bytes as hexadecimal digits.
package enum Hexadecimal {
  package static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns a number as four digits.
  package static func text(_ number: UInt16) -> String {
    text([UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
  }

  /// Returns the bytes of hexadecimal digits, with or without a leading `0x` and separating blanks, colons or hyphens; `nil` if
  /// the text is not valid.
  package static func bytes(_ text: String) -> [UInt8]? {
    var digits = text.lowercased()
    if digits.hasPrefix("0x") { digits.removeFirst(2) }
    let nibbles = digits.filter { !" :-".contains($0) }.map { $0.isASCII ? $0.hexDigitValue : nil }
    guard nibbles.count % 2 == 0, !nibbles.contains(nil) else { return nil }
    let values = nibbles.compactMap(\.self)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
